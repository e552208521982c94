import { initialOf } from '@stagedoor/browser/initial-of';
import type { CSSProperties } from 'react';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { type Present, useOthers } from './seats.ts';
import { hereText, typingText } from './words.ts';

/** The maximum number of faces shown. The others appear as a count, such as '+2'. */
const SHOWN = 3;

function Face({ who, isSmall }: { who: Present; isSmall: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-surface font-semibold select-none not-first:-ms-1.5',
        isSmall ? 'size-4 text-[9px]/3' : 'size-6 text-badge ring-2 ring-surface',
      )}
    >
      <span
        className={classes(
          'tinted inline-flex size-full items-center justify-center rounded-full ring-1 ring-own',
          who.typing && 'ring-2',
        )}
        style={{ '--t': who.display_color } as CSSProperties}
      >
        {initialOf(who.codename)}
      </span>
    </span>
  );
}

interface PresenceProps {
  conversationId: string;
}

/** The other teammates who have the conversation open, as shown in its header. */
export function HeaderFaces({ conversationId }: PresenceProps) {
  const others = useOthers(conversationId);
  if (others.length === 0) return null;
  return (
    <Tooltip text={hereText(others)} describes={false}>
      <span
        role="img"
        aria-label={hereText(others)}
        className="me-1.5 inline-flex items-center rounded-chip"
      >
        {others.slice(0, SHOWN).map((who) => (
          <Face key={who.id} who={who} isSmall={false} />
        ))}
        {others.length > SHOWN && (
          <span className="ms-1 text-meta text-fg-3 tabular-nums">+{others.length - SHOWN}</span>
        )}
      </span>
    </Tooltip>
  );
}

/** Small faces of the other teammates who have the conversation open. Screen readers get {@link RowPresenceText} instead. */
export function RowFaces({ conversationId }: PresenceProps) {
  const others = useOthers(conversationId);
  if (others.length === 0) return null;
  return (
    <span title={companyText(others)} className="-me-0.5 inline-flex">
      {others.slice(0, SHOWN).map((who) => (
        <Face key={who.id} who={who} isSmall />
      ))}
    </span>
  );
}

/**
 * The other teammates who have the conversation open, as text for screen readers. Placed last in a row, so that it isn't read
 * between the name and the message.
 */
export function RowPresenceText({ conversationId }: PresenceProps) {
  const others = useOthers(conversationId);
  return others.length > 0 && <span className="said sr-only">{companyText(others)}</span>;
}

const companyText = (others: readonly Present[]) => typingText(others) ?? hereText(others);
