import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { HandoverCard, type HandoverCardProps } from './handover-card.tsx';
import { accept, handoversOptions } from './queries.ts';

interface HandoversDialogProps
  extends Pick<HandoverCardProps, 'onOpen' | 'draftOf' | 'onUseDraft'> {
  onClose: () => void;
}

/** The handovers that the viewer received. */
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
        {handovers.isError && (
          <ErrorBox
            text={t('Couldn’t load handovers')}
            retrying={handovers.isFetching}
            onRetry={() => void handovers.refetch()}
          />
        )}
        {handovers.isPending && (
          <p role="status" className="flex items-center gap-2 py-4 text-control text-fg-3">
            <Spinner /> {t('Loading handovers...')}
          </p>
        )}
        {handovers.data?.length === 0 && (
          <EmptyState
            icon={<Handshake size={22} />}
            title={t('No handovers yet')}
            text={t(
              'When teammates end a shift and hand conversations over to you, they appear here',
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
