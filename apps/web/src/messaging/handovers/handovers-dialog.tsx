import { rich } from '@stagedoor/browser/rich-text';
import { HANDOVER_DRAFT_MAX_CHARS, type Handover } from '@stagedoor/contract/messaging/handovers';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import { errorText } from '../../lib/server/api.ts';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dot } from '../../ui/dot.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { PromiseLines } from './open-items.tsx';
import { accept, handoversOptions } from './queries.ts';

interface HandoversDialogProps
  extends Pick<HandoverCardProps, 'onOpen' | 'draftOf' | 'onUseDraft'> {
  onClose: () => void;
}

export function HandoversDialog({ onClose, ...card }: HandoversDialogProps) {
  const client = useQueryClient();
  const now = useNow();
  const handovers = useQuery(handoversOptions);
  const accepting = useMutation({ mutationFn: (id: string) => accept(client, id) });
  return (
    <Dialog
      title={t('Handovers')}
      subtitle={t('Conversations that teammates handed over to you')}
      isWide
      onClose={onClose}
    >
      <div className="flex min-h-64 flex-col gap-3" aria-busy={handovers.isPending}>
        {accepting.isError && (
          <ErrorBox text={errorText(accepting.error, t('Couldn’t accept the handover'))} />
        )}
        {handovers.isError && <QueryError query={handovers} text={t('Couldn’t load handovers')} />}
        {handovers.isPending && <LoadingLine text={t('Loading handovers...')} />}
        {handovers.data?.length === 0 && (
          <EmptyState
            icon={<Handshake size={22} />}
            title={t('No handovers yet')}
            text={t(
              'Conversations that teammates hand over to you at the end of a shift appear here.',
            )}
          />
        )}
        {handovers.data?.map((handover) => (
          <HandoverCard
            key={handover.id}
            handover={handover}
            now={now}
            isBusy={accepting.isPending && accepting.variables === handover.id}
            onAccept={() => accepting.mutate(handover.id)}
            {...card}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface HandoverCardProps {
  handover: Handover;
  /** Milliseconds. */
  now: number;
  isBusy: boolean;
  onAccept: () => void;
  onOpen: (conversationId: string) => void;
  /** Returns the viewer's own draft for a conversation, or null. */
  draftOf: (conversationId: string) => string | null;
  /** Continues the draft of the teammate who handed over. */
  onUseDraft: (conversationId: string, text: string) => void;
}

function HandoverCard(props: HandoverCardProps) {
  const { handover, now, isBusy, onAccept, onOpen, draftOf, onUseDraft } = props;
  const { from, brief, items, created_at: at, accepted_at: acceptedAt } = handover;
  return (
    <article
      aria-label={t('Handover from {name}', { name: from.codename })}
      className="rounded-card border border-line p-3"
    >
      <header className="flex items-center gap-2">
        <Dot color={from.display_color} />
        <h3 className="truncate font-semibold">{from.codename}</h3>
        <span className="shrink-0 text-meta text-fg-3" title={exactTimeOf(at)}>
          {relativeTime(at, now)}
        </span>
        <span className="ms-auto shrink-0">
          {acceptedAt === null ? (
            <Button variant="primary" size="small" busy={isBusy} onClick={onAccept}>
              {t('Accept')}
            </Button>
          ) : (
            <span className="text-meta text-fg-3">{t('Accepted')}</span>
          )}
        </span>
      </header>
      {brief !== '' && (
        <p dir="auto" className="mt-2 text-base wrap-anywhere whitespace-pre-wrap text-fg">
          {brief}
        </p>
      )}
      <ul aria-label={t('Conversations')} className="-mx-1.5 mt-2">
        {items.map((item) => {
          const name = displayName(item.fan);
          return (
            <li key={item.conversation_id}>
              <button
                type="button"
                onClick={() => onOpen(item.conversation_id)}
                className="flex min-h-10 w-full items-start gap-2.5 rounded-control px-1.5 py-1.5 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
              >
                <Avatar name={name} url={item.fan.avatar_url} size="small" />
                <span className="min-w-0 flex-1 pt-1">
                  <span className="said font-medium">{name}</span>
                  {item.brief !== '' && (
                    <span
                      dir="auto"
                      className="block text-control wrap-anywhere whitespace-pre-wrap text-fg-2"
                    >
                      {item.brief}
                    </span>
                  )}
                </span>
              </button>
              {(item.draft !== null || item.promises.length > 0) && (
                <div className="flex flex-col gap-1 ps-11 pe-1.5 pb-1.5">
                  {item.draft !== null && (
                    <Draft
                      text={item.draft}
                      isUsable={draftOf(item.conversation_id) === null}
                      onUse={(text) => onUseDraft(item.conversation_id, text)}
                    />
                  )}
                  <PromiseLines promises={item.promises} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </article>
  );
}

interface DraftProps {
  text: string;
  isUsable: boolean;
  onUse: (text: string) => void;
}

function Draft({ text, isUsable, onUse }: DraftProps) {
  // A draft cut to the maximum length can't be used as a message.
  const isWhole = text.length < HANDOVER_DRAFT_MAX_CHARS;
  return (
    <div className="flex items-start gap-2">
      <p className="min-w-0 flex-1 text-control wrap-anywhere whitespace-pre-wrap text-danger-text">
        {rich('Draft: {text}', { text: <bdi className="text-fg-2">{text}</bdi> })}
      </p>
      {isUsable && isWhole && (
        <Button size="small" onClick={() => onUse(text)}>
          {t('Use Draft')}
        </Button>
      )}
    </div>
  );
}
