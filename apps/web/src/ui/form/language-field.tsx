import { LANGUAGES, type Language, language, setLanguage, t } from '../../lib/text/i18n.ts';
import { SelectField } from './select-field.tsx';

/** Selects the console's language for this browser. A change reloads the page. */
export function LanguageField({ isQuiet = false }: { isQuiet?: boolean }) {
  return (
    <SelectField
      label={t('Language')}
      isLabelHidden={isQuiet}
      isInline
      isQuiet={isQuiet}
      defaultValue={language}
      onChange={(event) => setLanguage(event.target.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
