import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { rich } from '@stagedoor/browser/rich-text';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type Command,
  runCommand,
  useChord,
  useCommands,
  useRegisteredCommands,
} from '../lib/commands.ts';
import { FINE_POINTER_QUERY } from '../lib/media-query.ts';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { setTheme } from '../lib/theme.ts';
import { Kbd } from '../ui/kbd.tsx';
import { useOpenId } from './inbox/use-open-conversation.ts';
import { pageCommand } from './page-command.ts';
import { CommandPalette } from './palette/command-palette.tsx';
import { keyNames } from './palette/key-names.ts';
import { remember } from './palette/recent.ts';

const ShortcutsDialog = lazyExtra(
  async () => (await import('./palette/shortcuts-dialog.tsx')).ShortcutsDialog,
);

const THEMES: readonly Command[] = [
  {
    id: 'theme.system',
    title: t('System Theme'),
    section: t('Theme'),
    run: () => setTheme('system'),
  },
  { id: 'theme.light', title: t('Light Theme'), section: t('Theme'), run: () => setTheme('light') },
  { id: 'theme.dark', title: t('Dark Theme'), section: t('Theme'), run: () => setTheme('dark') },
];

export type KeysDialog = 'palette' | 'shortcuts';

interface CommandKeysProps {
  /** The dialog that was requested before this component had loaded. */
  asked: KeysDialog | null;
  onHere: (isHere: boolean) => void;
}

/** The keyboard UI of every screen: the command palette, the list of shortcuts, and the hint for two-key shortcuts. */
export function CommandKeys({ asked, onHere }: CommandKeysProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(asked);
  useEffect(() => {
    onHere(true);
    return () => onHere(false);
  }, [onHere]);
  // Done here to keep it out of the first load. A conversation that is left before this code has loaded is not remembered.
  const openId = useOpenId();
  useEffect(() => {
    if (openId !== null) remember('conversations', openId);
  }, [openId]);
  const { can_manage_admins: enabled } = useAdmin().permissions;
  const close = () => setOpen(null);
  useCommands([
    {
      id: 'palette',
      title: t('Command Palette'),
      section: t('General'),
      keys: ['Mod+k'],
      run: () => setOpen('palette'),
      keysOnly: true,
    },
    {
      id: 'shortcuts',
      title: t('Keyboard Shortcuts'),
      section: t('General'),
      keys: ['?'],
      run: () => setOpen('shortcuts'),
    },
    pageCommand(navigate, t('Shifts'), '/shifts'),
    pageCommand(navigate, t('Earnings'), '/earnings'),
    { ...pageCommand(navigate, t('Mass Messages'), '/campaigns'), enabled },
    { ...pageCommand(navigate, t('Analytics'), '/console/analytics'), enabled },
    { ...pageCommand(navigate, t('Rules'), '/console/rules'), enabled },
    { ...pageCommand(navigate, t('Security'), '/console/security'), enabled },
    { ...pageCommand(navigate, t('Audit Log'), '/console/audit'), enabled },
    { ...pageCommand(navigate, t('Platform'), '/console/platform'), enabled },
    pageCommand(navigate, t('Segments'), '/segments'),
    ...THEMES,
  ]);
  return (
    <>
      <ChordHint />
      {open === 'palette' && (
        <CommandPalette
          onClose={close}
          onRun={({ id }) => {
            close();
            remember('commands', id);
            // Waits for the focus to return, because the command may depend on the focused element.
            requestAnimationFrame(() => runCommand(id));
          }}
          onOpenFan={({ id }) => {
            close();
            const focusComposer = window.matchMedia(FINE_POINTER_QUERY).matches;
            void navigate(`/inbox/${encodeURIComponent(id)}`, { state: { focusComposer } });
          }}
        />
      )}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </>
  );
}

/** Lists the possible second keys after the first key of a two-key shortcut. */
function ChordHint() {
  const chord = useChord();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-[max(96px,env(safe-area-inset-bottom))] z-50 flex justify-center px-4"
    >
      {chord !== null && <NextKeys chord={chord} />}
    </div>
  );
}

function NextKeys({ chord }: { chord: string }) {
  const begin = `${chord} `;
  const nexts = useRegisteredCommands().flatMap(({ id, title, keys = [] }) =>
    keys.filter((key) => key.startsWith(begin)).map((key) => ({ id, title, key })),
  );
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-3.5 py-2.5 text-control text-fg-2 shadow-overlay">
      <span className="inline-flex items-center gap-1.5">
        {rich('{key} then', { key: <Kbd>{chord.toUpperCase()}</Kbd> })}
      </span>
      {nexts.map(({ id, title, key }) => (
        <span key={id} className="inline-flex items-center gap-1.5">
          <Kbd>{keyNames(key).at(-1)?.join(' ') ?? ''}</Kbd> {title}
        </span>
      ))}
    </p>
  );
}
