import type { Mention } from '@stagedoor/contract/messaging/mentions';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Dot } from '../../ui/dot.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { MentionText } from './mention-text.tsx';
import { markMentionsRead, mentionsOptions } from './queries.ts';

interface MentionsDialogProps {
  onOpen: (mention: Mention) => void;
  onClose: () => void;
}

/** The staff notes that mention the viewer, newest first. */
export function MentionsDialog({ onOpen, onClose }: MentionsDialogProps) {
  const client = useQueryClient();
  const { id: myId } = useAdmin();
  const now = useNow();
  const mentions = useInfiniteQuery(mentionsOptions);
  const [problem, setProblem] = useState<string | null>(null);
  const list = mentions.data ?? [];
  const isAnyUnread = list.some(({ read_at: readAt }) => readAt === null);
  const read = (body: Parameters<typeof markMentionsRead>[1]) => {
    setProblem(null);
    markMentionsRead(client, body).catch((error: unknown) =>
      setProblem(errorText(error, t('Couldn’t mark mentions as read'))),
    );
  };
  const open = (mention: Mention) => {
    if (mention.read_at === null) read({ note_ids: [mention.note.id] });
    onOpen(mention);
  };
  return (
    <Dialog
      title={t('Mentions')}
      subtitle={t('Staff notes that mention you')}
      onClose={onClose}
      footer={
        isAnyUnread && (
          <Button onClick={() => read({ up_to: list[0]?.note.id ?? '' })}>
            {t('Mark All as Read')}
          </Button>
        )
      }
    >
      <div className="-mx-2 flex min-h-64 flex-col gap-0.5" aria-busy={mentions.isPending}>
        {problem !== null && <ErrorBox text={problem} />}
        {mentions.isError && (
          <ErrorBox
            text={t('Couldn’t load mentions')}
            retrying={mentions.isFetching}
            onRetry={() => void mentions.refetch()}
          />
        )}
        {mentions.isPending && (
          <LoadingLine text={t('Loading mentions...')} className="px-2 py-4" />
        )}
        {mentions.isSuccess && list.length === 0 && (
          <EmptyState
            icon={<AtSign size={22} />}
            title={t('No mentions yet')}
            text={t('When teammates mention you with @ in a staff note, it appears here')}
          />
        )}
        {list.length > 0 && (
          <ul aria-label={t('Mentions')}>
            {list.map((mention) => (
              <li key={mention.note.id}>
                <MentionItem mention={mention} myId={myId} now={now} onOpen={() => open(mention)} />
              </li>
            ))}
          </ul>
        )}
        <MoreButton query={mentions} />
        {mentions.isFetchingNextPage && (
          <p role="status" className="flex justify-center p-3 text-fg-3">
            <Spinner />
            <span className="sr-only">{t('Loading more mentions...')}</span>
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface MentionItemProps {
  mention: Mention;
  myId: string;
  /** Milliseconds. */
  now: number;
  onOpen: () => void;
}

/** A mention in the list: the fan, the author, the text, and whether it was read. */
function MentionItem({ mention, myId, now, onOpen }: MentionItemProps) {
  const { note, fan, read_at: readAt } = mention;
  const name = displayName(fan);
  const isUnread = readAt === null;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full items-start gap-3 rounded-control px-2 py-2.5 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Avatar name={name} url={fan.avatar_url} size="medium" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={classes('said truncate', isUnread ? 'font-semibold' : 'font-medium')}>
            {name}
          </span>
          <span
            className="said ms-auto shrink-0 text-meta text-fg-3"
            title={exactTimeOf(note.created_at)}
          >
            {relativeTime(note.created_at, now)}
          </span>
        </span>
        <span className="mt-0.5 flex items-center gap-1.5 text-meta text-fg-2">
          <Dot color={note.author.display_color} />
          <span className="said truncate">{note.author.codename}</span>
        </span>
        <span
          className={classes(
            'mt-0.5 line-clamp-2 text-control wrap-anywhere',
            isUnread ? 'text-fg' : 'text-fg-2',
          )}
          dir="auto"
        >
          <MentionText content={note.content} people={note.mentions} myId={myId} />
        </span>
      </span>
      <span className="flex h-5 w-2 shrink-0 items-center">
        {isUnread && (
          <span
            role="img"
            aria-label={t('Unread', 'mention')}
            className="size-2 rounded-full bg-accent"
          />
        )}
      </span>
    </button>
  );
}
