import { type BenefitType, INVITE_MAX_EMAILS } from '@stagedoor/contract/fans/invites';
import { useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { isTokenStored } from '../../lib/server/session.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { InviteForm } from './invite-form.tsx';
import { readInviteLines } from './invite-lines.ts';
import { InviteResults } from './invite-results.tsx';
import { type InviteOutcome, useInvite } from './queries.ts';
import { SentInvites } from './sent-invites.tsx';

const NEW = t('New Invitations');
const SENT = t('Sent Invitations');
const TABS = [NEW, SENT];

/** The dialog to invite people by email and to see the state of their invitations. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [tab, setTab] = useState(NEW);
  const [text, setText] = useState('');
  const [benefit, setBenefit] = useState<BenefitType>('1_month_free');
  const [alert, setAlert] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<InviteOutcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const formId = useId();
  const invite = useInvite();
  // Focuses the field only where there is a physical keyboard. On a phone the keyboard would cover half of the dialog.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) textarea.current?.focus();
  }, []);

  const refuse = (reason: string) => {
    setAlert(reason);
    textarea.current?.focus();
  };
  const send = () => {
    if (invite.isPending) return;
    const emails = [...readInviteLines(text).addresses];
    if (emails.length === 0) return refuse(t('Please enter at least one email address'));
    if (emails.length > INVITE_MAX_EMAILS) {
      return refuse(
        t('Please enter at most {count} email addresses', {
          count: formatCount(INVITE_MAX_EMAILS),
        }),
      );
    }
    if (!isTokenStored()) return refuse(t('Not authenticated. Please log in again.'));
    setAlert(null);
    invite.mutate(
      { emails, benefitType: benefit },
      {
        onSuccess: (sent) => {
          setOutcome(sent);
          setText('');
          setBenefit('1_month_free');
        },
        onError: (error) => {
          console.error('Failed to send invites', error);
          setAlert(errorText(error, t('Failed to send invites')));
        },
      },
    );
  };
  const close = () => {
    // The dialog can't be closed while invitations are being sent, which takes a moment.
    if (invite.isPending) return;
    if (text.trim() === '') onClose();
    else setAsking(true);
  };
  const question = isAsking && (
    <ConfirmDialog
      title={t('Discard changes?')}
      text={t('The addresses you entered haven’t been invited.')}
      confirmLabel={t('Discard')}
      onCancel={() => setAsking(false)}
      onConfirm={onClose}
    />
  );

  if (outcome !== null) {
    return <InviteResults outcome={outcome} onMore={() => setOutcome(null)} onClose={onClose} />;
  }
  const isForm = tab === NEW;
  return (
    <Dialog
      title={t('Invite Users')}
      subtitle={t('Each person gets their own email')}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Close')}</Button>
          {isForm && (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={invite.isPending}
              busyText={t('Sending...')}
            >
              {t('Send Invites')}
            </Button>
          )}
        </>
      }
    >
      <Tabs label={t('Invitations')} tabs={TABS} current={tab} onChange={setTab}>
        {isForm ? (
          <InviteForm
            id={formId}
            textarea={textarea}
            text={text}
            onText={(changed) => {
              setText(changed);
              setAlert(null);
            }}
            benefit={benefit}
            onBenefit={setBenefit}
            alert={alert}
            isSending={invite.isPending}
            onSubmit={send}
          />
        ) : (
          <SentInvites />
        )}
      </Tabs>
      {question}
    </Dialog>
  );
}
