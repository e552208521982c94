import { type BenefitType, INVITE_MAX_EMAILS, NO_INVITE_EMAILS } from '@stagedoor/contract/invites';
import { useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { isTokenStored } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { InviteForm } from './invite-form.tsx';
import { readInviteLines } from './invite-lines.ts';
import { InviteResults } from './invite-results.tsx';
import { type InviteOutcome, useInvite } from './queries.ts';
import { SentInvites } from './sent-invites.tsx';

const TABS = ['New invitations', 'Sent invitations'] as const;
const SEND_FAILED = 'Failed to send invites';

/** The dialog in which people are invited by mail, and in which one sees how far their invitations came. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [tab, setTab] = useState<(typeof TABS)[number]>('New invitations');
  const [text, setText] = useState('');
  const [benefit, setBenefit] = useState<BenefitType>('1_month_free');
  const [alert, setAlert] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<InviteOutcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const formId = useId();
  const invite = useInvite();
  // Where there is a keyboard one can type at once; on a phone it would cover half of the dialog.
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
    if (emails.length === 0) return refuse(NO_INVITE_EMAILS);
    if (emails.length > INVITE_MAX_EMAILS) {
      return refuse(`Please enter at most ${formatCount(INVITE_MAX_EMAILS)} email addresses`);
    }
    if (!isTokenStored()) return refuse('Not authenticated. Please log in again.');
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
          console.error(SEND_FAILED, error);
          setAlert(errorText(error, SEND_FAILED));
        },
      },
    );
  };
  const close = () => {
    // What is being sent is told of before anyone leaves; it takes a moment.
    if (invite.isPending) return;
    if (text.trim() === '') onClose();
    else setAsking(true);
  };
  const question = isAsking && (
    <ConfirmDialog
      title="Discard changes?"
      text="The addresses that you entered were not invited."
      confirmLabel="Discard"
      onCancel={() => setAsking(false)}
      onConfirm={onClose}
    />
  );

  if (outcome !== null) {
    return <InviteResults outcome={outcome} onMore={() => setOutcome(null)} onClose={onClose} />;
  }
  const isForm = tab === 'New invitations';
  return (
    <Dialog
      title="Invite Users"
      subtitle="Each person gets a mail of their own"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Close</Button>
          {isForm && (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={invite.isPending}
              busyText="Sending..."
            >
              Send Invites
            </Button>
          )}
        </>
      }
    >
      <Tabs label="Invitations" tabs={TABS} current={tab} onChange={setTab}>
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
