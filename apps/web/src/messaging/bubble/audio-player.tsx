import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { Attachment } from '@stagedoor/contract/media';
import { Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { localPicture } from '../attachments/local-pictures.ts';
import { Unplayable } from './file-attachments.tsx';

/** The change of one arrow key press, in seconds. */
const STEP_S = 5;

/** Formats seconds as `1:05`. */
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

interface AudioPlayerProps {
  attachment: Attachment;
  /** Refetches the message to renew expired URLs. */
  refresh: () => Promise<void>;
}

/** A sound with its position and length. Starting one pauses the others. */
export function AudioPlayer({ attachment, refresh }: AudioPlayerProps) {
  const { id, url, filename } = attachment;
  const media = useMediaUrl(localPicture(id) ?? url, refresh);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  const [length, setLength] = useState(0);
  if (media.isFailed)
    return <Unplayable text={t('Couldn’t load the audio')} onRetry={media.retry} />;
  const toggle = () => {
    const element = audio.current;
    if (!element?.paused) return element?.pause();
    for (const other of document.querySelectorAll('audio')) other.pause();
    // Playing fails if the file does not load, which `onError` reports.
    element.play().catch(() => setPlaying(false));
  };
  const moveTo = (seconds: number) => {
    if (audio.current) audio.current.currentTime = Math.min(Math.max(0, seconds), length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = document.dir === 'rtl' ? -STEP_S : STEP_S;
    const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
    if (step !== undefined) moveTo(position + step);
    else if (event.key === ' ') toggle();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    <div
      role="group"
      aria-label={filename ?? t('Audio')}
      className="flex h-11 w-[280px] max-w-full items-center gap-2 pe-2"
    >
      <IconButton
        label={isPlaying ? t('Pause') : t('Play')}
        onClick={toggle}
        className="size-9! rounded-full bg-accent text-white! hover:bg-accent-hover"
      >
        {isPlaying ? (
          <Pause fill="currentColor" strokeWidth={0} />
        ) : (
          <Play fill="currentColor" strokeWidth={0} />
        )}
      </IconButton>
      <input
        type="range"
        aria-label={t('Position', 'audio')}
        aria-valuetext={t('{time} of {length}', { time: clock(position), length: clock(length) })}
        min={0}
        max={length}
        step="any"
        value={position}
        onChange={(event) => moveTo(event.currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
        className="h-1 min-w-0 flex-1 cursor-pointer accent-accent"
      />
      <span aria-hidden="true" className="shrink-0 text-meta text-fg-2 tabular-nums">
        {clock(position)} / {clock(length)}
      </span>
      {/* biome-ignore lint/a11y/useMediaCaption: media in messages has no captions */}
      <audio
        key={media.attempt}
        ref={audio}
        preload="metadata"
        src={media.src ?? undefined}
        onLoadedMetadata={({ currentTarget }) => setLength(currentTarget.duration)}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onSeeking={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={media.onError}
      >
        {t('Your browser does not support the audio element.')}
      </audio>
    </div>
  );
}
