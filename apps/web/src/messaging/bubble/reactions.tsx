import type { Reaction, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

interface ReactionsProps {
  reactions: readonly Reaction[];
  myId: string;
  onReact: (emoji: ReactionEmoji) => void;
  disabled: boolean;
}

/** The reactions to a message with their counts. Clicking one toggles the viewer's own. */
export function Reactions({ reactions, myId, onReact, disabled }: ReactionsProps) {
  const users = new Map<ReactionEmoji, string[]>();
  for (const { emoji, user_id } of reactions)
    users.set(emoji, [...(users.get(emoji) ?? []), user_id]);
  return (
    <div className="-mt-1.5 flex flex-wrap gap-1 px-2">
      {[...users].map(([emoji, ids]) => {
        const isMine = ids.includes(myId);
        return (
          <button
            key={emoji}
            type="button"
            aria-pressed={isMine}
            aria-label={
              isMine
                ? t('{emoji} {count}, including yours', { emoji, count: ids.length })
                : `${emoji} ${ids.length}`
            }
            disabled={disabled}
            onClick={() => onReact(emoji)}
            className={classes(
              'touch-target z-1 inline-flex h-6 items-center gap-1 rounded-full border px-1.5 text-meta tabular-nums transition-colors duration-80 disabled:opacity-100',
              isMine
                ? 'border-accent bg-selected text-accent-text'
                : 'border-control bg-surface text-fg-2 hover:bg-hover',
            )}
          >
            <span aria-hidden="true" className="text-control leading-none">
              {emoji}
            </span>
            {ids.length > 1 && ids.length}
          </button>
        );
      })}
    </div>
  );
}
