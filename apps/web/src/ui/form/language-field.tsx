import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { LANGUAGES, type Language, language, setLanguage, t } from '../../lib/text/i18n.ts';
import { classes } from '../classes.ts';

/** Selects the console's language for this browser. A change reloads the page. */
export function LanguageField({ isQuiet = false }: { isQuiet?: boolean }) {
  const id = useId();
  return (
    <div className="relative flex items-center justify-between gap-4">
      <label htmlFor={id} className={isQuiet ? 'sr-only' : 'text-meta text-fg-3'}>
        {t('Language')}
      </label>
      <span className="relative flex text-fg-2 hover:text-fg">
        <select
          id={id}
          defaultValue={language}
          onChange={(event) => setLanguage(event.target.value as Language)}
          className={classes(
            'field-sizing-content h-8 cursor-pointer appearance-none rounded-control bg-transparent pe-7 ps-2.5 text-control transition-colors duration-80 hover:bg-hover focus-visible:outline-offset-0 coarse:h-11 [&>option]:bg-surface [&>option]:text-fg',
            !isQuiet && 'border border-control',
          )}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          size={14}
          strokeWidth={1.75}
          className="pointer-events-none absolute top-1/2 end-2 -translate-y-1/2"
        />
      </span>
    </div>
  );
}
