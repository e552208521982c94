import type { Objections } from '@stagedoor/browser/file-rules';
import { formatBytes } from '@stagedoor/browser/format';
import { locale, t } from './text/i18n.ts';

/** Why a chosen file is rejected, in the user's language. */
export const OBJECTIONS: Objections = {
  empty: (name) => t('{name} is empty.', { name }),
  tooLarge: (name, limit) =>
    t('{name} is larger than {size}.', { name, size: formatBytes(limit, locale) }),
  tooMany: (count) =>
    t(
      '{count, plural, one {A message can have at most # file.} other {A message can have at most # files.}}',
      { count },
    ),
};
