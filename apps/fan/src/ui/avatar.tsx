import { initialOf } from '@stagedoor/browser/initial-of';
import { useState } from 'react';
import { classes } from './classes.ts';

interface AvatarProps {
  name: string;
  url: string | null;
  /** Sets the size and the letter's font size. */
  className?: string;
}

/** A person's picture, or the first letter of their name. */
export function Avatar({ name, url, className }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const shape = classes('shrink-0 rounded-full select-none', className ?? 'size-10 text-title');
  if (url !== null && url !== failed) {
    return (
      <img
        src={url}
        alt=""
        draggable={false}
        onError={() => setFailed(url)}
        className={classes(shape, 'bg-surface-2 object-cover')}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={classes(shape, 'warm flex items-center justify-center font-semibold')}
    >
      {initialOf(name)}
    </span>
  );
}
