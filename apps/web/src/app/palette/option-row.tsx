import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import type { Command } from '../../lib/commands.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CountBadge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Keys } from './keys.tsx';
import type { Option } from './options.ts';

interface OptionRowProps {
  id: string;
  option: Option;
  /** Whether a command shows its section, because no heading does. */
  showsSection: boolean;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

/** A row of the palette. The focus stays in the text field, which refers to the active row. */
export function OptionRow(props: OptionRowProps) {
  const { id, option, showsSection, isActive, onPoint, onChoose } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the text field has the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Rows that scroll under a resting pointer don't become active.
      onPointerMove={isActive ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classes(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-base select-none coarse:min-h-11',
        isActive && 'bg-selected',
      )}
    >
      {option.kind === 'command' ? (
        <CommandLine command={option.command} marked={option.marked} showsSection={showsSection} />
      ) : (
        <FanLine conversation={option.conversation} />
      )}
    </div>
  );
}

interface CommandLineProps {
  command: Command;
  marked: readonly number[];
  showsSection: boolean;
}

function CommandLine({
  command: { title, section, keys },
  marked,
  showsSection,
}: CommandLineProps) {
  return (
    <>
      <span className="said min-w-0 truncate">
        <Marked text={title} at={marked} />
      </span>
      {showsSection && <span className="said shrink-0 text-meta text-fg-3">{section}</span>}
      {keys?.[0] !== undefined && (
        <span className="ms-auto coarse:hidden">
          <Keys shortcut={keys[0]} />
        </span>
      )}
    </>
  );
}

function FanLine({ conversation }: { conversation: Conversation | SearchHit }) {
  const { fan, unread_count: unread } = conversation;
  const name = displayName(fan);
  const excerpt = 'match' in conversation ? conversation.match?.excerpt : undefined;
  return (
    <>
      <Avatar name={name} url={fan.avatar_url} size="small" />
      <span dir="auto" className="said max-w-[60%] shrink-0 truncate">
        {name}
      </span>
      <span dir="auto" className="said min-w-0 flex-1 truncate text-control text-fg-3">
        {excerpt ?? (fan.username && `@${fan.username}`)}
      </span>
      {unread > 0 && (
        <>
          <CountBadge count={unread} />
          <span className="sr-only">{t('unread')}</span>
        </>
      )}
    </>
  );
}

function Marked({ text, at }: { text: string; at: readonly number[] }) {
  if (at.length === 0) return text;
  return [...text].map((letter, index) =>
    at.includes(index) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: letters are identified only by their index
      <b key={index} className="font-semibold text-accent-text">
        {letter}
      </b>
    ) : (
      letter
    ),
  );
}
