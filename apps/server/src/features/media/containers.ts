/** What pictures' files are made of, looked at without a decoder: where one would be led into endless work. */

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** A chunk's length and type before its data, and its sum after. Bytes. */
const PNG_CHUNK_EXTRA = 12;
const PNG_TEXTS = new Set(['tEXt', 'zTXt', 'iTXt']);

/**
 * A PNG without its texts, which are not kept anyway: a decoder unpacks each of them, and a hundred bytes can be as many
 * megabytes.
 * @returns the picture as it is when it is none, or broken
 */
export function withoutTexts(picture: Buffer): Buffer {
  if (!picture.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return picture;
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = PNG_SIGNATURE.length; at + PNG_CHUNK_EXTRA <= picture.length; ) {
    const end = at + PNG_CHUNK_EXTRA + picture.readUInt32BE(at);
    if (PNG_TEXTS.has(picture.toString('latin1', at + 4, at + 8))) {
      kept.push(picture.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return from === 0 ? picture : Buffer.concat([...kept, picture.subarray(from)]);
}

/** The frames of a WebP, whatever its header says of them; 0 for a still one and for what is none. */
export function webpFrames(picture: Buffer): number {
  const is = (text: string, at: number) =>
    picture.toString('latin1', at, at + text.length) === text;
  if (!is('RIFF', 0) || !is('WEBP', 8)) return 0;
  let frames = 0;
  for (let at = 12; at + 8 <= picture.length; ) {
    if (is('ANMF', at)) frames++;
    const size = picture.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return frames;
}
