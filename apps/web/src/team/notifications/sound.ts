/** Two soft tones: the pitch in hertz, and the start in seconds. */
const NOTES = [
  { pitch: 659.25, at: 0 },
  { pitch: 880, at: 0.11 },
] as const;
const NOTE_SECONDS = 0.28;
const LOUDNESS = 0.08;

let context: AudioContext | null = null;

/** Plays a short sound. Plays none before the first user interaction, because browsers would delay it. */
export async function playSound(): Promise<void> {
  const { userActivation } = navigator as Partial<Navigator>;
  if (userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const start = context.currentTime;
  for (const { pitch, at } of NOTES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start + at);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + at + NOTE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + NOTE_SECONDS);
  }
}
