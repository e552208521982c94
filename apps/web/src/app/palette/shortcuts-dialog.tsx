import { Fragment, useId } from 'react';
import { useRegisteredCommands } from '../../lib/commands.ts';
import { setShortcutsOn, useShortcutsOn } from '../../lib/keyboard.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Switch } from '../../ui/form/switch.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Keys } from './keys.tsx';
import { bySection } from './options.ts';
import { type Shortcut, shortcutsFor } from './shortcuts.ts';

/** Lists all shortcuts, with the switch for single-key shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { permissions } = useAdmin();
  const sections = bySection(shortcutsFor(permissions, useRegisteredCommands()));
  return (
    <Dialog isWide title={t('Keyboard Shortcuts')} onClose={onClose}>
      <SingleKeys />
      <div className="gap-x-10 md:columns-2">
        {sections.map(([section, shortcuts]) => (
          <Section key={section} title={section} shortcuts={shortcuts} />
        ))}
      </div>
    </Dialog>
  );
}

function SingleKeys() {
  const isOn = useShortcutsOn();
  return (
    <div className="mb-4 flex items-center justify-between gap-4 rounded-card bg-surface-2 px-3 py-2.5">
      <p>
        {t('Single-key shortcuts')}
        <span className="block text-meta text-fg-3">
          {t('Single letters, digits and symbols work as shortcuts outside text fields.')}
        </span>
      </p>
      <Switch label={t('Single-key shortcuts')} isOn={isOn} onChange={setShortcutsOn} />
    </div>
  );
}

function Section({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-4 break-inside-avoid">
      <h3 id={id} className="mb-1 text-meta font-medium text-fg-3">
        {title}
      </h3>
      <dl>
        {shortcuts.map((shortcut) => (
          <div
            key={shortcut.id}
            className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-b-0"
          >
            <dt className="min-w-0 text-control">{shortcut.title}</dt>
            <dd className="flex shrink-0 items-center gap-1.5">
              {shortcut.keys.map((keys, index) => (
                <Fragment key={keys}>
                  {index > 0 && <span className="text-meta text-fg-3">{t('or')}</span>}
                  <Keys shortcut={keys} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
