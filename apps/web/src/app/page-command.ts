import type { Command } from '../lib/commands.ts';
import { t } from '../lib/text/i18n.ts';

/** Creates the command that opens a page. */
export const pageCommand = (
  navigate: (path: string) => void | Promise<void>,
  title: string,
  path: string,
): Command => ({
  id: `go${path}`,
  title,
  section: t('Go to'),
  run: () => void navigate(path),
});
