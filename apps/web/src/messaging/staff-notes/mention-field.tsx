import type { Teammate } from '@stagedoor/contract/messaging/mentions';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useState } from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Dot } from '../../ui/dot.tsx';
import { useAutoGrow } from '../../ui/form/use-auto-grow.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { type BegunName, begunName, matchingTeammates, writtenName } from './mention-writing.ts';
import { teammatesOptions } from './queries.ts';

const SHOWN_MAX = 8;

/** Lets the note composer control the field. */
export interface MentionFieldControls {
  focus: () => void;
}

interface MentionFieldProps {
  text: string;
  onChange: (text: string) => void;
  label: string;
  placeholder: string;
  isInvalid: boolean;
  onEnter: () => void;
  onEscape: () => void;
  ref: Ref<MentionFieldControls>;
}

/** A text field that offers teammates after an @. */
export function MentionField(props: MentionFieldProps) {
  const { text, onChange, label, placeholder, isInvalid, onEnter, onEscape, ref } = props;
  const field = useAutoGrow(text);
  const listId = useId();
  const { id: myId } = useAdmin();
  const [begun, setBegun] = useState<BegunName | null>(null);
  const [at, setAt] = useState(0);
  const teammates = useQuery({ ...teammatesOptions, enabled: begun !== null });
  const others = teammates.data?.filter(({ id }) => id !== myId) ?? [];
  const people = begun === null ? [] : matchingTeammates(begun.query, others, SHOWN_MAX);
  // Text that matches no name is plain text.
  const isOpen = begun !== null && (people.length > 0 || !teammates.isSuccess);
  const current = Math.min(at, people.length - 1);
  const chosen = people[current];
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));

  const look = () => {
    const element = field.current;
    if (!element || element.selectionStart !== element.selectionEnd) return setBegun(null);
    const next = begunName(element.value, element.selectionStart);
    if (next?.start !== begun?.start || next?.query !== begun?.query) setAt(0);
    setBegun(next);
  };
  const choose = (person: Teammate) => {
    const element = field.current;
    if (!element || begun === null) return;
    const end = begun.start + 1 + begun.query.length;
    // Inserted as if typed, so that the browser's undo covers it.
    element.focus();
    element.setSelectionRange(begun.start, end);
    document.execCommand('insertText', false, `${writtenName(person)} `);
    setBegun(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (isOpen && isListKey(event.key)) {
      event.preventDefault();
      if (event.key === 'Escape') setBegun(null);
      else if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, people.length));
      else if (event.key === 'ArrowUp')
        setAt((current - 1 + people.length) % Math.max(1, people.length));
      // Does nothing while the names load, so that Enter doesn't add the note by mistake.
      else if (chosen) choose(chosen);
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      onEnter();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onEscape();
    }
  };
  return (
    <div className="relative min-w-0 flex-1">
      {isOpen && (
        <MentionList
          id={listId}
          people={people}
          current={current}
          status={teammates.isError ? 'failed' : teammates.isPending ? 'loading' : 'ready'}
          onChoose={choose}
        />
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          look();
        }}
        onSelect={look}
        onBlur={() => setBegun(null)}
        onKeyDown={onKeyDown}
        placeholder={placeholder}
        aria-label={label}
        aria-invalid={isInvalid}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen && people.length > 0 ? listId : undefined}
        aria-activedescendant={isOpen && chosen ? optionId(listId, chosen) : undefined}
        className="field-sizing-content block max-h-[min(40dvh,240px)] min-h-8 w-full resize-none bg-transparent px-2 py-[5px] text-message outline-none coarse:min-h-11 coarse:py-[11px]"
      />
      <p aria-live="polite" className="sr-only">
        {isOpen && chosen
          ? t('{name}, {place} of {count}', {
              name: chosen.codename,
              place: current + 1,
              count: people.length,
            })
          : ''}
      </p>
    </div>
  );
}

function isListKey(key: string): boolean {
  return ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'].includes(key);
}

interface MentionListProps {
  id: string;
  people: readonly Teammate[];
  /** The index of the option that Enter chooses. */
  current: number;
  status: 'loading' | 'failed' | 'ready';
  onChoose: (teammate: Teammate) => void;
}

/** Returns the element id of an option, for the field's `aria-activedescendant`. */
const optionId = (listId: string, person: Pick<Teammate, 'id'>) => `${listId}-${person.id}`;

/** The teammates that an @ offers, above the field. Focus stays in the field. */
function MentionList({ id, people, current, status, onChoose }: MentionListProps) {
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
              <Dot color={person.display_color} />
              <span className="truncate">{person.codename}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
