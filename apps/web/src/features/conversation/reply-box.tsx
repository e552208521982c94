import type { Product } from '@stagedoor/contract/products';
import {
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router';
import { useCommands } from '../../lib/commands.ts';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import { AttachMenu, type AttachMenuControls } from './attach-menu.tsx';
import type { Thread } from './cache.ts';
import { changeStrip, chooseFiles, takeBackFiles } from './chosen-files.ts';
import { Composer, type ComposerControls } from './composer.tsx';
import { NoticeBar, ReplyBar, TeammateBar } from './composer-bars.tsx';
import { OFFER_CONTENT, offerOf } from './offer.ts';
import type { PendingMessage } from './outbox.ts';
import type { ReplyTarget } from './reply-target.ts';
import { UnsentTray } from './unsent-tray.tsx';
import { useDraft } from './use-draft.ts';
import type { useSendMessage } from './use-send-message.ts';
import { useTeammateCheck } from './use-teammate-check.ts';

const FileStrip = lazy(async () => ({ default: (await import('./file-strip.tsx')).FileStrip }));
const SendProductDialog = lazy(async () => ({
  default: (await import('./send-product-dialog.tsx')).SendProductDialog,
}));

/** What the rest of the pane can ask of the reply. */
export interface ReplyControls {
  focus: () => void;
  replyTo: (target: ReplyTarget) => void;
  /** Takes what was not sent back for editing, its text before what is already written. */
  takeBack: (message: TakenBack) => void;
  addFiles: (files: readonly File[]) => void;
}

type TakenBack = Pick<PendingMessage, 'content' | 'replyTo' | 'attachments'>;

interface ReplyBoxProps {
  conversationId: string;
  fanName: string;
  thread: Thread;
  myId: string;
  sending: ReturnType<typeof useSendMessage>;
  notice: string | null;
  onDismissNotice: () => void;
  /** Above the text field: what colleagues do meanwhile. */
  meanwhile: ReactNode;
  /** Told of the text as it is typed; blank: nothing is being written any more. */
  onTyping: (text: string) => void;
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
    meanwhile,
    onTyping,
    onSent,
    onShowMessage,
    ref,
  } = props;
  const composer = useRef<ComposerControls>(null);
  const { draft, change, clear, isSaved } = useDraft(conversationId);
  const teammate = useTeammateCheck(thread, myId, draft.text);
  const { replyTo, text } = draft;
  const { strip } = sending;
  const attach = useRef<AttachMenuControls>(null);
  const [isOffering, setOffering] = useState(false);

  const location = useLocation();
  const wantsFocus = (location.state as { focusComposer?: boolean } | null)?.focusComposer === true;
  // Each navigation that asks for the focus gets it.
  useEffect(() => {
    if (wantsFocus && window.matchMedia(FINE_POINTER_QUERY).matches) composer.current?.focus();
  }, [wantsFocus, location.key]);

  const takeBack = ({ content, replyTo: target, attachments }: TakenBack) => {
    const texts = [content, text].filter((part) => part.trim() !== '');
    change({ text: texts.join('\n'), replyTo: replyTo ?? target });
    if (attachments.length > 0)
      takeBackFiles(
        conversationId,
        attachments.map(({ shown }) => shown),
      );
    composer.current?.focus();
  };
  const addFiles = (files: readonly File[]) => {
    chooseFiles(conversationId, files);
    composer.current?.focus();
  };
  useImperativeHandle(ref, () => ({
    focus: () => composer.current?.focus(),
    replyTo: (target) => {
      change({ replyTo: target });
      composer.current?.focus();
    },
    takeBack,
    addFiles,
  }));

  const finish = () => {
    clear();
    onTyping('');
    teammate.reset();
    onSent();
  };
  const sendText = () => {
    if (sending.isBlocked() || !teammate.mayContinue()) return;
    if (sending.send(text.trim(), replyTo, teammate.guard())) finish();
  };
  const send = () => {
    if (strip.files.length === 0) return sendText();
    if (strip.sending !== null || !teammate.mayContinue()) return;
    sending.sendWithFiles(text.trim(), replyTo, teammate.guard());
    finish();
  };
  const sendProduct = (product: Product, price: number) => {
    if (!sending.send(OFFER_CONTENT, null, teammate.guard(), [offerOf(product, price)])) return;
    setOffering(false);
    onSent();
  };
  useCommands([
    {
      id: 'attach',
      title: 'Attach',
      section: 'Conversation',
      keys: ['a'],
      run: () => attach.current?.open(),
    },
    {
      id: 'send_product',
      title: 'Send Product',
      section: 'Conversation',
      keys: ['p'],
      run: () => setOffering(true),
    },
  ]);

  return (
    <>
      {notice !== null && <NoticeBar text={notice} onDismiss={onDismissNotice} />}
      <UnsentTray
        messages={sending.unsent}
        onRetry={sending.retry}
        onEdit={(message) => {
          sending.discardUnsent(message);
          takeBack(message);
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
          onTyping(next);
          change({ text: next });
        }}
        onSend={send}
        onSendText={sendText}
        hasFiles={strip.files.length > 0}
        isUploading={strip.sending !== null}
        onFiles={addFiles}
        attachMenu={
          <AttachMenu ref={attach} onFiles={addFiles} onSendProduct={() => setOffering(true)} />
        }
        isSending={sending.isSending}
        meanwhile={meanwhile}
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
        {(strip.files.length > 0 || strip.problem !== null) && (
          <Suspense fallback={null}>
            <FileStrip
              strip={strip}
              onRemove={sending.removeFile}
              onRetry={() => sending.sendWithFiles('', null, teammate.guard())}
              onDismiss={() => changeStrip(conversationId, { problem: null, canRetry: false })}
            />
          </Suspense>
        )}
      </Composer>
      {isOffering && (
        <Suspense fallback={null}>
          <SendProductDialog
            conversationId={conversationId}
            fanName={fanName}
            isSending={sending.isSending}
            onSend={sendProduct}
            onClose={() => setOffering(false)}
          />
        </Suspense>
      )}
    </>
  );
}
