import { SquareTerminal } from 'lucide-react';
import { runCommand } from '../lib/commands.ts';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';
import { Kbd } from './kbd.tsx';

const KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

/** Opens the command palette, for people who don't know its shortcut or have no keyboard. */
export function PaletteButton() {
  return (
    <Button
      variant="ghost"
      size="small"
      className="max-md:hidden"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => runCommand('palette')}
      icon={<SquareTerminal className="hidden coarse:block" />}
    >
      <span className="@max-[520px]:sr-only">{t('Commands')}</span>
      <span aria-hidden="true" className="coarse:hidden">
        <Kbd>{KEYS}</Kbd>
      </span>
    </Button>
  );
}
