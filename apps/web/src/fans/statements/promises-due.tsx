import type { OpenPromise } from '@stagedoor/contract/fans/statements';
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { CountBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Link } from '../../ui/link.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { dueOf } from './due.ts';
import { promisesOptions } from './queries.ts';
import { DoneBox, DueTime } from './statement-row.tsx';
import { useStatements } from './use-statements.ts';

const TITLE = t('Promises Due');

/** Returns the button's accessible name, which contains its visible text. */
const nameOf = (due: number) => (due === 0 ? TITLE : t('Promises Due ({due})', { due }));

/**
 * The number of the viewer's due promises, with a list of them.
 * @param linkTo returns a conversation's URL
 */
export function PromisesDue({ linkTo }: { linkTo: (conversationId: string) => string }) {
  const { data = [] } = useQuery(promisesOptions);
  const [isOpen, setOpen] = useState(false);
  const now = useNow();
  const count = data.filter((promise) => isDue(promise, now)).length;
  useCommands([
    { id: 'promises-due', title: TITLE, section: t('Inbox'), run: () => setOpen(true) },
  ]);
  return (
    <>
      <span className="relative">
        <Tooltip text={nameOf(count)} describes={false}>
          <Button
            variant="ghost"
            size="small"
            aria-label={nameOf(count)}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            {t('Promises')}
          </Button>
        </Tooltip>
        {count > 0 && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute -top-1 -end-1 origin-top-right scale-85"
          >
            <CountBadge count={count} />
          </span>
        )}
      </span>
      <span role="status" className="sr-only">
        {count > 0 && nameOf(count)}
      </span>
      {isOpen && <PromiseList linkTo={linkTo} onClose={() => setOpen(false)} />}
    </>
  );
}

const isDue = ({ due_at, done_at }: OpenPromise, now: number) =>
  due_at !== null && done_at === null && dueOf(due_at, now).isDue;

interface PromiseListProps {
  linkTo: (conversationId: string) => string;
  onClose: () => void;
}

function PromiseList({ linkTo, onClose }: PromiseListProps) {
  const { data, isError, refetch } = useQuery(promisesOptions);
  const { failure, setDone } = useStatements();
  const now = useNow();
  const rowOf = (promise: OpenPromise) => (
    <li key={promise.id} className="flex items-start gap-3 py-2">
      <DoneBox statement={promise} onChange={(done) => setDone(promise, done)} />
      <Link
        to={linkTo(promise.conversation_id)}
        onClick={onClose}
        className="-m-1 min-w-0 flex-1 rounded-chip p-1 transition-colors duration-80 hover:bg-hover"
      >
        <span dir="auto" className="block text-control wrap-anywhere">
          {promise.text}
        </span>
        <span className="flex flex-wrap gap-x-2 text-meta text-fg-3">
          {promise.due_at !== null && (
            <DueTime at={promise.due_at} isDone={promise.done_at !== null} />
          )}
          <span>{displayName(promise.fan)}</span>
          <span>{promise.author.codename}</span>
        </span>
      </Link>
    </li>
  );
  const open = data?.filter(({ done_at }) => done_at === null) ?? [];
  const due = open.filter((promise) => isDue(promise, now));
  const upcoming = open.filter((promise) => !due.includes(promise));
  return (
    <Dialog
      title={TITLE}
      subtitle={t('Your promises, and promises to fans you have claimed')}
      onClose={onClose}
    >
      {failure && <ErrorBox text={failure.text} onRetry={failure.retry} />}
      {!data &&
        (isError ? (
          <ErrorBox text={t('Couldn’t load promises')} onRetry={() => void refetch()} />
        ) : (
          <CenteredSpinner text={t('Loading...')} />
        ))}
      {data && open.length === 0 && (
        <EmptyState
          icon={<ListChecks size={22} />}
          title={t('No promises to keep')}
          text={t('Promises with a date appear here when they are due')}
        />
      )}
      <Group title={t('Due now')}>{due.map(rowOf)}</Group>
      <Group title={t('Later')}>{upcoming.map(rowOf)}</Group>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  const id = useId();
  if (children.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-2">
      <h3 id={id} className="text-meta font-semibold text-fg-2">
        {title}
      </h3>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  );
}
