import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';

/** The maximum number of tags a row shows. The others appear as a count, such as '+2'. */
const TAGS_SHOWN = 2;

/** The fan's tags: below the texts, or beside them in a compact row. */
export function RowTags({
  conversation,
  isCompact,
}: {
  conversation: Conversation;
  isCompact: boolean;
}) {
  const tags = conversation.fan.admin_tags;
  if (tags.length === 0) return null;
  return (
    <span
      className={classes(
        'flex min-w-0 items-center gap-1',
        isCompact
          ? 'col-start-2 row-start-2 mt-0.5 max-w-44 justify-self-end @max-[400px]:hidden'
          : 'col-span-2 mt-1',
      )}
    >
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <span key={tag.id} className="said inline-flex min-w-0">
          <Chip label={tag.label} color={tag.color} />
        </span>
      ))}
      {tags.length > TAGS_SHOWN && (
        <span className="shrink-0 ps-0.5 text-meta text-fg-3 tabular-nums">
          +{tags.length - TAGS_SHOWN}
        </span>
      )}
    </span>
  );
}
