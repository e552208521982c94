import {
  Clock,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Monitor,
  MonitorSmartphone,
  Moon,
  Settings2,
  Sun,
} from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { setShortcutsOn, useShortcutsOn } from '../lib/keyboard.ts';
import { useAdmin } from '../lib/session.ts';
import { setTheme, type Theme, useTheme } from '../lib/theme.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { openLater } from './later-dialogs.tsx';

const THEMES = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { theme: Theme; label: string; icon: typeof Sun }[];

const SessionsDialog = lazy(async () => ({
  default: (await import('../features/sessions/sessions-dialog.tsx')).SessionsDialog,
}));
const PasskeysDialog = lazy(async () => ({
  default: (await import('../features/passkeys/passkeys-dialog.tsx')).PasskeysDialog,
}));

/** To be called first, so that the focus is at the button behind, which it comes back to. */
function hidePanel({ currentTarget }: MouseEvent): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** What an admin sets for this browser, the theme and whether single keys are shortcuts, and how and where they sign in. */
export function SettingsPanel() {
  const [dialog, setDialog] = useState<'sessions' | 'passkeys' | null>(null);
  const opener = (name: 'sessions' | 'passkeys') => (event: MouseEvent) => {
    hidePanel(event);
    setDialog(name);
  };
  const close = () => setDialog(null);
  return (
    <>
      <Popover
        label="Settings"
        trigger={
          <IconButton label="Settings" className="-mr-1.5">
            <Settings2 aria-hidden="true" size={16} strokeWidth={1.75} />
          </IconButton>
        }
      >
        <AccountLine />
        <ThemeChoice />
        <ShortcutSwitch />
        <div className="border-t border-line pt-1.5">
          <DialogButton
            icon={MessagesSquare}
            label="Templates..."
            onClick={(event) => {
              hidePanel(event);
              openLater({ name: 'templates', onUse: null });
            }}
          />
          <DialogButton
            icon={Clock}
            label="Scheduled messages..."
            onClick={(event) => {
              hidePanel(event);
              openLater({ name: 'scheduled', conversationId: null });
            }}
          />
          <DialogButton icon={KeyRound} label="Passkeys..." onClick={opener('passkeys')} />
          <DialogButton icon={MonitorSmartphone} label="Sessions..." onClick={opener('sessions')} />
        </div>
      </Popover>
      <Suspense fallback={null}>
        {dialog === 'sessions' && <SessionsDialog onClose={close} />}
        {dialog === 'passkeys' && <PasskeysDialog onClose={close} />}
      </Suspense>
    </>
  );
}

function AccountLine() {
  const admin = useAdmin();
  return (
    <p className="flex flex-col border-b border-line px-2 pt-1 pb-2">
      {admin.codename !== '' && <span className="font-medium">{admin.codename}</span>}
      <span className="text-meta wrap-anywhere text-fg-3">{admin.email}</span>
    </p>
  );
}

function ThemeChoice() {
  const current = useTheme();
  return (
    <fieldset className="border-b border-line px-2 py-2">
      <legend className="float-left mb-1.5 w-full text-meta text-fg-3">Theme</legend>
      <div className="clear-both grid grid-cols-3 gap-0.5 rounded-control bg-surface-2 p-0.5">
        {THEMES.map(({ theme, label, icon: Icon }) => (
          <label
            key={theme}
            className="flex cursor-pointer items-center justify-center gap-1.5 rounded-chip px-2 py-1 text-meta font-medium text-fg-2 has-checked:bg-surface has-checked:text-fg has-focus-visible:outline-2 has-focus-visible:outline-accent-text coarse:py-2.5"
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === current}
              onChange={() => setTheme(theme)}
            />
            <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ShortcutSwitch() {
  const isOn = useShortcutsOn();
  return (
    <label className="flex cursor-pointer items-center justify-between gap-4 px-2 py-2 coarse:py-3">
      <span>
        Single-key shortcuts
        <span className="block text-meta text-fg-3">J K to move, / to search, 1–4 for tabs</span>
      </span>
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => setShortcutsOn(event.target.checked)}
        className="size-4 accent-accent"
      />
    </label>
  );
}

interface DialogButtonProps {
  icon: LucideIcon;
  label: string;
  onClick: (event: MouseEvent) => void;
}

function DialogButton({ icon: Icon, label, onClick }: DialogButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-8 w-full items-center gap-2 rounded-chip px-2 text-left transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-fg-2" />
      {label}
    </button>
  );
}
