import { runCommand } from '../lib/commands.ts';
import { Button } from './button.tsx';
import { Kbd } from './kbd.tsx';

const KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

/** Opens the command palette, for those who don't know its keys yet or have none. */
export function PaletteButton() {
  return (
    <Button
      variant="ghost"
      size="small"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => runCommand('palette')}
    >
      Commands
      <span aria-hidden="true" className="coarse:hidden">
        <Kbd>{KEYS}</Kbd>
      </span>
    </Button>
  );
}
