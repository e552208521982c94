import type { Message } from '@stagedoor/contract/messaging/messages';
import { Megaphone } from 'lucide-react';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Link } from '../../ui/link.tsx';

const SHAPE = 'flex w-fit items-center gap-1 text-badge font-medium text-fg-2';

/** Marks a mass message. For managers and the author, the mark is a link to the campaign. */
export function MassMark({ message: { campaign_id, author } }: { message: Message }) {
  const { id, permissions } = useAdmin();
  const content = (
    <>
      <Megaphone size={12} /> {t('Mass message')}
    </>
  );
  return permissions.can_manage_admins || author?.id === id ? (
    <Link to={`/campaigns/${campaign_id}`} className={`touch-target ${SHAPE} hover:underline`}>
      {content}
    </Link>
  ) : (
    <span className={SHAPE}>{content}</span>
  );
}
