import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useLocation } from 'react-router';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import type { Thread } from './cache.ts';
import { Composer, type ComposerControls } from './composer.tsx';
import { NoticeBar, ReplyBar, TeammateBar } from './composer-bars.tsx';
import type { ReplyTarget } from './reply-target.ts';
import { UnsentTray } from './unsent-tray.tsx';
import { useDraft } from './use-draft.ts';
import type { useSendMessage } from './use-send-message.ts';
import { useTeammateCheck } from './use-teammate-check.ts';

/** What the rest of the pane can ask of the reply. */
export interface ReplyControls {
  focus: () => void;
  replyTo: (target: ReplyTarget) => void;
  /** Takes a text that was not sent back for editing, before what is already written. */
  takeBack: (text: string, replyTo: ReplyTarget | null) => void;
}

interface ReplyBoxProps {
  conversationId: string;
  fanName: string;
  thread: Thread;
  myId: string;
  sending: ReturnType<typeof useSendMessage>;
  notice: string | null;
  onDismissNotice: () => void;
  onSent: () => void;
  onShowMessage: (id: string) => void;
  ref: Ref<ReplyControls>;
}

/** Leaves the text field: the focus goes to the conversation's row, from where the arrow keys lead on. */
function focusRow(): void {
  const row = document.querySelector<HTMLElement>('a[aria-current]');
  if (row) row.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** The reply that is being written, with everything that belongs to it. */
export function ReplyBox(props: ReplyBoxProps) {
  const {
    conversationId,
    fanName,
    thread,
    myId,
    sending,
    notice,
    onDismissNotice,
    onSent,
    onShowMessage,
    ref,
  } = props;
  const composer = useRef<ComposerControls>(null);
  const { draft, change, clear, isSaved } = useDraft(conversationId);
  const teammate = useTeammateCheck(thread, myId);
  const { replyTo, text } = draft;

  const location = useLocation();
  const wantsFocus = (location.state as { focusComposer?: boolean } | null)?.focusComposer === true;
  // Each navigation that asks for the focus gets it.
  useEffect(() => {
    if (wantsFocus && window.matchMedia(FINE_POINTER_QUERY).matches) composer.current?.focus();
  }, [wantsFocus, location.key]);

  const takeBack = (taken: string, target: ReplyTarget | null) => {
    change({ text: text.trim() === '' ? taken : `${taken}\n${text}`, replyTo: replyTo ?? target });
    composer.current?.focus();
  };
  useImperativeHandle(ref, () => ({
    focus: () => composer.current?.focus(),
    replyTo: (target) => {
      change({ replyTo: target });
      composer.current?.focus();
    },
    takeBack,
  }));

  const send = () => {
    if (sending.isBlocked() || !teammate.mayContinue()) return;
    if (!sending.send(text.trim(), replyTo)) return;
    clear();
    teammate.reset();
    onSent();
  };

  return (
    <>
      {notice !== null && <NoticeBar text={notice} onDismiss={onDismissNotice} />}
      <UnsentTray
        messages={sending.unsent}
        onRetry={sending.retry}
        onEdit={(message) => {
          sending.discardUnsent(message);
          takeBack(message.content, message.replyTo);
        }}
        onDiscard={sending.discardUnsent}
      />
      {teammate.isAsking && <TeammateBar onSend={send} />}
      <Composer
        ref={composer}
        fanName={fanName}
        text={text}
        onChange={(next) => {
          teammate.begin(next);
          change({ text: next });
        }}
        onSend={send}
        isSending={sending.isSending}
        status={isSaved && text.trim() !== '' ? 'Draft saved' : ''}
        onEscape={() => (replyTo ? change({ replyTo: null }) : focusRow())}
      >
        {replyTo && (
          <ReplyBar
            target={replyTo}
            onOpen={() => onShowMessage(replyTo.id)}
            onCancel={() => {
              change({ replyTo: null });
              composer.current?.focus();
            }}
          />
        )}
      </Composer>
    </>
  );
}
