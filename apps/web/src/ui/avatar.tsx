import { initialOf } from '@stagedoor/browser/initial-of';
import { type CSSProperties, useState } from 'react';
import { colorOf } from '../lib/text/format.ts';
import { classes } from './classes.ts';

const SIZES = {
  small: 'size-7 text-meta',
  medium: 'size-9 text-base',
  large: 'size-10 text-message',
} as const;

interface AvatarProps {
  name: string;
  url: string | null;
  size: keyof typeof SIZES;
}

/** A person's picture, or the initial of their name on their color. Hidden from screen readers, since the name is next to it. */
export function Avatar({ name, url, size }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const shape = classes('shrink-0 rounded-full select-none', SIZES[size]);
  if (url !== null && url !== failedUrl) {
    return (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setFailedUrl(url)}
        className={classes(shape, 'bg-surface-2 object-cover')}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={classes(shape, 'tinted inline-flex items-center justify-center font-semibold')}
      style={{ '--t': colorOf(name) } as CSSProperties}
    >
      {initialOf(name)}
    </span>
  );
}
