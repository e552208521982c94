import { lazyExtra } from '@stagedoor/browser/lazy-part';
import {
  Bell,
  Clock,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Monitor,
  MonitorSmartphone,
  Moon,
  Rows2,
  Rows4,
  Settings,
  Sun,
} from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useCommands } from '../lib/commands.ts';
import { type Density, setDensity, useDensity } from '../lib/density.ts';
import { setShortcutsOn, useShortcutsOn } from '../lib/keyboard.ts';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { setTheme, type Theme, useTheme } from '../lib/theme.ts';
import { Switch } from '../ui/form/switch.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PanelButton } from '../ui/overlay/panel-button.tsx';
import { Popover } from '../ui/overlay/popover.tsx';
import { openLazyDialog } from './lazy-dialogs.tsx';

const THEMES: readonly Option<Theme>[] = [
  { value: 'system', label: t('System'), icon: Monitor },
  { value: 'light', label: t('Light'), icon: Sun },
  { value: 'dark', label: t('Dark'), icon: Moon },
];

const DENSITIES: readonly Option<Density>[] = [
  { value: 'comfortable', label: t('Comfortable'), icon: Rows2 },
  { value: 'compact', label: t('Compact'), icon: Rows4 },
];

const LanguageField = lazyExtra(
  async () => (await import('../ui/form/language-field.tsx')).LanguageField,
);
const SessionsDialog = lazyExtra(
  async () => (await import('../team/sessions/sessions-dialog.tsx')).SessionsDialog,
);
const NotificationsDialog = lazyExtra(
  async () => (await import('../team/notifications/notifications-dialog.tsx')).NotificationsDialog,
);
const PasskeysDialog = lazyExtra(
  async () => (await import('../team/passkeys/passkeys-dialog.tsx')).PasskeysDialog,
);

/** Hides the panel before a dialog opens. This focuses the panel's button, so the focus returns there when the dialog closes. */
function hidePanel({ currentTarget }: MouseEvent): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

type Dialog = 'sessions' | 'passkeys' | 'notifications';

/**
 * The admin's settings for this browser (theme, density, language, single-key shortcuts), and entries for templates, scheduled
 * messages, notifications, passkeys and sessions.
 */
export function SettingsPanel() {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const opener = (name: Dialog) => (event: MouseEvent) => {
    hidePanel(event);
    setDialog(name);
  };
  const close = () => setDialog(null);
  const account = { section: t('Account') };
  useCommands([
    { ...account, id: 'passkeys', title: t('Passkeys...'), run: () => setDialog('passkeys') },
    { ...account, id: 'sessions', title: t('Sessions...'), run: () => setDialog('sessions') },
  ]);
  return (
    <>
      <Popover
        label={t('Settings')}
        trigger={<IconButton label={t('Settings')} icon={<Settings />} />}
      >
        <AccountLine />
        <Choice legend={t('Theme')} options={THEMES} current={useTheme()} onChange={setTheme} />
        <Choice
          legend={t('Density')}
          options={DENSITIES}
          current={useDensity()}
          onChange={setDensity}
        />
        <div className="box-content h-8 border-b border-line px-2 py-2 coarse:h-11">
          <LanguageField />
        </div>
        <ShortcutSwitch />
        <div className="border-t border-line pt-1.5">
          <PanelButton
            icon={MessagesSquare}
            label={t('Templates...')}
            onClick={(event) => {
              hidePanel(event);
              openLazyDialog({ name: 'templates', onUse: null });
            }}
          />
          <PanelButton
            icon={Clock}
            label={t('Scheduled Messages...')}
            onClick={(event) => {
              hidePanel(event);
              openLazyDialog({ name: 'scheduled', conversationId: null });
            }}
          />
          <PanelButton
            icon={Bell}
            label={t('Notifications...')}
            onClick={opener('notifications')}
          />
          <PanelButton icon={KeyRound} label={t('Passkeys...')} onClick={opener('passkeys')} />
          <PanelButton
            icon={MonitorSmartphone}
            label={t('Sessions...')}
            onClick={opener('sessions')}
          />
        </div>
      </Popover>
      {dialog === 'sessions' && <SessionsDialog onClose={close} />}
      {dialog === 'notifications' && <NotificationsDialog onClose={close} />}
      {dialog === 'passkeys' && <PasskeysDialog onClose={close} />}
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

interface Option<Value extends string> {
  value: Value;
  label: string;
  icon: LucideIcon;
}

interface ChoiceProps<Value extends string> {
  legend: string;
  options: readonly Option<Value>[];
  current: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { legend, options, current, onChange } = props;
  return (
    <fieldset className="border-b border-line px-2 py-2">
      <legend className="float-start mb-1.5 w-full text-meta text-fg-3">{legend}</legend>
      <div className="clear-both grid auto-cols-fr grid-flow-col gap-0.5 rounded-control bg-surface-2 p-0.5">
        {options.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex cursor-pointer items-center justify-center gap-1.5 rounded-chip px-2 py-1 text-meta font-medium text-fg-2 has-checked:bg-surface has-checked:text-fg has-focus-visible:outline-2 has-focus-visible:outline-accent-text coarse:py-3.5"
          >
            <input
              type="radio"
              name={legend}
              className="sr-only"
              checked={value === current}
              onChange={() => onChange(value)}
            />
            <Icon size={14} />
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
    <div className="flex items-center justify-between gap-4 px-2 py-2 coarse:py-3">
      <span>
        {t('Single-key shortcuts')}
        <span className="block text-meta text-fg-3">
          {t('J K to move, / to search, 1–5 for tabs')}
        </span>
      </span>
      <Switch label={t('Single-key shortcuts')} isOn={isOn} onChange={setShortcutsOn} />
    </div>
  );
}
