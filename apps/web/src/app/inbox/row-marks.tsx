import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { PencilLine } from 'lucide-react';
import { SubscriptionBadge } from '../../fans/subscriptions/subscription-badge.tsx';
import { t } from '../../lib/text/i18n.ts';
import { useHasDraft } from '../../messaging/composer/drafts.ts';

/** Marks a conversation that has an unsent draft. */
function DraftMark({ conversationId }: { conversationId: string }) {
  if (!useHasDraft(conversationId)) return null;
  return (
    <span className="said me-1.5 font-medium text-accent-text">
      <PencilLine
        aria-hidden="true"
        size={12}
        strokeWidth={2}
        className="me-1 inline align-[-1px]"
      />
      {t('Draft')}
    </span>
  );
}

/** The parts of other features that rows show from the first render. */
export const rowMarks = {
  draftMark: (id: string) => <DraftMark conversationId={id} />,
  fanMark: ({ subscription }: Conversation['fan']) =>
    subscription && <SubscriptionBadge subscription={subscription} />,
};
