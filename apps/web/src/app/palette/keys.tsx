import { Fragment } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { keyNames } from './key-names.ts';

/** The keys of a shortcut as keyboard labels. */
export function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {keyNames(shortcut).map((names, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a press is identified only by its index
        <Fragment key={index}>
          {index > 0 && <span className="text-meta text-fg-3">{t('then')}</span>}
          {/* Keys held together are written from left to right in every language, as on the inbox's button. */}
          <span dir="ltr" className="inline-flex gap-1">
            {names.map((name) => (
              <Kbd key={name}>{name}</Kbd>
            ))}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
