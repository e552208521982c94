import { CODENAME_MAX_CHARS, type Fruit } from '@stagedoor/contract/team/admins';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { fruitsOptions } from './queries.ts';

interface CodenameFieldProps {
  codename: string;
  /** The current codename. */
  stored: string;
  error: string | null | undefined;
  onChange: (codename: string) => void;
}

/** A codename field that suggests unused fruit names. */
export function CodenameField({ codename, stored, error = null, onChange }: CodenameFieldProps) {
  const { data: fruits } = useQuery(fruitsOptions);
  const shown = fruits ? suggestions(fruits, codename === stored ? '' : codename) : [];
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t('Codename')}
        autoComplete="off"
        maxLength={CODENAME_MAX_CHARS}
        value={codename}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      {shown.length > 0 && (
        <ul
          aria-label={t('Suggested codenames')}
          className="-m-1 flex max-h-34 flex-wrap gap-1 overflow-y-auto overscroll-contain p-1"
        >
          {shown.map(({ name, taken }) => (
            <li key={name}>
              <button
                type="button"
                disabled={taken}
                aria-label={taken ? t('{name}, taken', { name }) : undefined}
                aria-pressed={name === codename}
                onClick={() => onChange(name)}
                className={classes(
                  'h-6 rounded-chip border px-2 text-meta transition-colors duration-80 coarse:h-9 coarse:px-3',
                  name === codename
                    ? 'border-accent bg-selected text-accent-text'
                    : 'border-control text-fg-2 hover:bg-hover hover:text-fg',
                  'disabled:border-transparent disabled:bg-surface-2 disabled:text-fg-3 disabled:line-through',
                )}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the fruits that contain the text, available ones first. */
function suggestions(fruits: readonly Fruit[], text: string): Fruit[] {
  const needle = text.trim().toLowerCase();
  const found = fruits.filter(({ name }) => name.toLowerCase().includes(needle));
  return [...found.filter(({ taken }) => !taken), ...found.filter(({ taken }) => taken)];
}
