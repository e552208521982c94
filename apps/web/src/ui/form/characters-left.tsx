import { t } from '../../lib/text/i18n.ts';
import { classes } from '../classes.ts';

/** The count is shown once this number of characters or fewer remain. */
const SHOWN_FROM = 500;

/** How many characters a text can still take. Shown only near the limit. */
export function CharactersLeft({ text, max }: { text: string; max: number }) {
  if (text.length < max - SHOWN_FROM) return null;
  const left = max - text.trim().length;
  return (
    <span
      role="status"
      className={classes(
        'self-center px-1 text-meta tabular-nums',
        left < 0 ? 'font-medium text-danger-text' : 'text-fg-2',
      )}
    >
      {left < 0
        ? t('{count, plural, one {# over the limit} other {# over the limit}}', { count: -left })
        : t('{count, plural, one {# left} other {# left}}', { count: left })}
    </span>
  );
}
