import type { Colleague } from '@stagedoor/contract/messaging/mentions';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Spinner } from '../../ui/spinner.tsx';

interface MentionListProps {
  id: string;
  people: readonly Colleague[];
  /** The index of the option that Enter takes. */
  current: number;
  status: 'loading' | 'failed' | 'ready';
  onChoose: (teammate: Colleague) => void;
}

/** Returns the element id of an option, for the field's `aria-activedescendant`. */
export const optionId = (listId: string, person: Pick<Colleague, 'id'>) => `${listId}-${person.id}`;

/** The teammates that an @ offers, above the field. Focus stays in the field. */
export function MentionList({ id, people, current, status, onChoose }: MentionListProps) {
  return (
    <div className="absolute bottom-full start-0 z-20 mb-1.5 max-h-[min(256px,40dvh)] w-64 max-w-full overflow-y-auto rounded-card border border-line bg-surface p-1 text-control text-fg shadow-overlay">
      {people.length === 0 ? (
        <p className="flex min-h-8 items-center gap-2 px-2.5 text-fg-3">
          {status === 'loading' && <Spinner />}
          {status === 'loading' && t('Loading teammates...')}
          {status === 'failed' && t('Couldn’t load teammates')}
          {status === 'ready' && t('No matching teammates')}
        </p>
      ) : (
        <div id={id} role="listbox" aria-label={t('Teammates')}>
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
            <div
              key={person.id}
              id={optionId(id, person)}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(person)}
              className={classes(
                'flex min-h-8 cursor-pointer items-center gap-2 rounded-chip px-2.5 coarse:min-h-11',
                index === current ? 'bg-selected' : 'hover:bg-hover',
              )}
            >
              <span
                aria-hidden="true"
                className="size-2 shrink-0 rounded-full"
                style={{ background: person.display_color }}
              />
              <span className="truncate">{person.codename}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
