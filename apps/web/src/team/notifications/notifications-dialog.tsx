import {
  type FanMessageNotices,
  type NotificationSettings,
  updateNotificationSettings,
} from '@stagedoor/contract/team/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { TimeField } from '../../ui/form/time-field.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useSave } from '../../ui/overlay/use-save.ts';
import { QueryError } from '../../ui/query-error.tsx';
import { deviceNotices, permissionNow, turnOff, turnOn } from './device.ts';
import { notificationOptions } from './queries.ts';
import { minuteOf, timeText } from './quiet-hours.ts';
import { playSound } from './sound.ts';

/** The quiet hours that are set when the user switches them on, in minutes after midnight. */
const NIGHT = { from: 22 * 60, to: 8 * 60 };

/** The dialog for an admin's notification settings, in general and on this device. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const query = useQuery(notificationOptions);
  const textOf = (error: unknown) => errorText(error, t('Couldn’t save notifications'));
  const {
    root,
    saving,
    change: save,
    pending,
  } = useSave<NotificationSettings>({
    key: ['notifications'],
    save: async (settings) => {
      const { data } = await call(updateNotificationSettings, { body: settings });
      client.setQueryData(notificationOptions.queryKey, (held) => held && { ...held, ...data });
    },
    textOf,
  });
  return (
    <Dialog
      title={t('Notifications')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <div ref={root} className="flex flex-col gap-5">
        {query.isPending && <LoadingLine text={t('Loading notifications...')} />}
        {query.isLoadingError && (
          <QueryError query={query} text={t('Couldn’t load notifications')} />
        )}
        {query.data && (
          <>
            <ThisDevice pushKey={query.data.push_key} isSubscribed={query.data.is_subscribed} />
            {saving.isError && <ErrorBox text={textOf(saving.error)} />}
            <Everywhere
              settings={pending ?? query.data}
              onChange={(change) => {
                const { push_key: _key, is_subscribed: _is, ...settings } = query.data;
                const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
                save({ ...(pending ?? settings), time_zone, ...change });
              }}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

function ThisDevice({ pushKey, isSubscribed }: { pushKey: string; isSubscribed: boolean }) {
  const client = useQueryClient();
  const notices = useSyncExternalStore(deviceNotices.subscribe, deviceNotices.get);
  const permission = permissionNow();
  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) await turnOff();
      const shown = isOn ? await turnOn(client, pushKey) : 'off';
      deviceNotices.set({ ...deviceNotices.get(), shown: shown ?? 'off' });
      return shown;
    },
  });
  const isRefused = permission === 'denied' || (change.isSuccess && change.data === null);
  const hint = isRefused
    ? t('This browser blocks notifications for the console. Allow them in its site settings.')
    : permission === 'unsupported'
      ? t('This browser can’t show notifications.')
      : notices.shown === 'off'
        ? t('Shown when you are in another tab or app.')
        : notices.shown === 'push' && isSubscribed
          ? t('Shown even when no console tab is open.')
          : t('Shown while a console tab is open.');
  return (
    <Section title={t('On this device')}>
      <Setting name={t('Desktop notifications')} hint={hint}>
        <Switch
          label={t('Desktop notifications')}
          isOn={notices.shown !== 'off'}
          disabled={permission === 'unsupported'}
          busy={change.isPending}
          onChange={(isOn) => change.mutate(isOn)}
        />
      </Setting>
      {change.error && (
        <ErrorBox text={errorText(change.error, t('Couldn’t change notifications'))} />
      )}
      <Setting name={t('Sound')} hint={t('Two soft tones, while a console tab is open.')}>
        <Switch
          label={t('Sound')}
          isOn={notices.sound}
          onChange={(sound) => {
            deviceNotices.set({ ...notices, sound });
            if (sound) void playSound().catch(() => undefined);
          }}
        />
      </Setting>
    </Section>
  );
}

interface EverywhereProps {
  settings: NotificationSettings;
  onChange: (change: Partial<NotificationSettings>) => void;
}

function Everywhere({ settings, onChange }: EverywhereProps) {
  const { fan_messages, sales, mentions, shows_text, quiet } = settings;
  const changeQuiet = (part: 'from' | 'to') => (text: string) => {
    const minute = minuteOf(text);
    if (minute !== null) onChange({ quiet: { ...(quiet ?? NIGHT), [part]: minute } });
  };
  return (
    <Section title={t('On all your devices')}>
      <SelectField
        label={t('Messages from fans')}
        value={fan_messages}
        onChange={({ target }) => onChange({ fan_messages: target.value as FanMessageNotices })}
      >
        <option value="all">{t('In all conversations')}</option>
        <option value="mine">{t('In conversations I claimed')}</option>
        <option value="none">{t('No messages')}</option>
      </SelectField>
      <Setting name={t('Sales')} hint={t('When a fan buys something.')}>
        <Switch label={t('Sales')} isOn={sales} onChange={(on) => onChange({ sales: on })} />
      </Setting>
      <Setting name={t('Mentions')} hint={t('When a teammate mentions you in a staff note.')}>
        <Switch
          label={t('Mentions')}
          isOn={mentions}
          onChange={(on) => onChange({ mentions: on })}
        />
      </Setting>
      <Setting
        name={t('Show message text')}
        hint={t('When off, notifications only say that someone wrote.')}
      >
        <Switch
          label={t('Show message text')}
          isOn={shows_text}
          onChange={(on) => onChange({ shows_text: on })}
        />
      </Setting>
      <Setting name={t('Quiet hours')} hint={t('No notifications or sounds during this time.')}>
        <Switch
          label={t('Quiet hours')}
          isOn={quiet !== null}
          onChange={(on) => onChange({ quiet: on ? NIGHT : null })}
        />
      </Setting>
      {quiet && (
        <div className="grid grid-cols-2 gap-3">
          <TimeField
            label={t('From')}
            value={timeText(quiet.from)}
            onChange={changeQuiet('from')}
          />
          <TimeField label={t('Until')} value={timeText(quiet.to)} onChange={changeQuiet('to')} />
        </div>
      )}
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-meta font-medium text-fg-3">{title}</h3>
      {children}
    </section>
  );
}

interface SettingProps {
  name: string;
  hint: string;
  children: ReactNode;
}

function Setting({ name, hint, children }: SettingProps) {
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="min-w-0">
        {name}
        <span className="block text-meta text-fg-3">{hint}</span>
      </p>
      {children}
    </div>
  );
}
