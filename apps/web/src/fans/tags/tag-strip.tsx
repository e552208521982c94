import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { Tags } from 'lucide-react';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';

interface TagStripProps {
  conversation: Conversation;
  onFilter: (tag: FanTag) => void;
  onManage: () => void;
}

/** The fan's tags with a button to manage them. Clicking a tag filters the inbox by it. */
export function TagStrip({ conversation: { fan }, onFilter, onManage }: TagStripProps) {
  useCommands([
    { id: 'tags', title: t('Manage Tags'), section: t('Conversation'), keys: ['t'], run: onManage },
  ]);
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-surface pe-2 ps-4 max-md:h-7! max-md:ps-3 coarse:h-12">
      {fan.admin_tags.length > 0 && (
        <ul
          aria-label={t('Tags')}
          className="-my-1 -ms-3 -me-1 flex min-w-0 items-center gap-0.5 overflow-x-auto px-2 py-1 [mask-image:linear-gradient(to_right,transparent,#000_8px,#000_calc(100%-8px),transparent)] [scrollbar-width:none] max-md:-my-2 max-md:py-0"
        >
          {fan.admin_tags.map((tag) => (
            <li key={tag.id} className="flex shrink-0">
              <button
                type="button"
                aria-label={t('Filter by {tag}', { tag: tag.label })}
                title={t('Show everyone with “{tag}”', { tag: tag.label })}
                onClick={() => onFilter(tag)}
                className="flex rounded-chip p-1 focus-visible:-outline-offset-2 coarse:py-3"
              >
                <Chip label={tag.label} color={tag.color} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="ghost"
        size="small"
        aria-keyshortcuts="T"
        onClick={onManage}
        icon={<Tags size={14} />}
        className={classes('max-md:h-6', fan.admin_tags.length === 0 && '-ms-2')}
      >
        {t('Manage Tags')}
      </Button>
    </div>
  );
}
