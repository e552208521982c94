import type { Product } from '@stagedoor/contract/products';
import type { Template } from '@stagedoor/contract/templates';
import { Clock } from 'lucide-react';
import {
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
import { t } from '../../lib/i18n.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { AttachMenu, type AttachMenuControls } from './attach-menu.tsx';
import type { Thread } from './cache.ts';
import { changeStrip, chooseFiles, takeBackFiles } from './chosen-files.ts';
import { Composer, type ComposerControls } from './composer.tsx';
import { NoticeBar, ReplyBar, TeammateBar } from './composer-bars.tsx';
import { focusRow } from './focus-row.ts';
import { shownTarget } from './message-text.ts';
import { OFFER_CONTENT, offerOf } from './offer.ts';
import type { PendingMessage } from './outbox.ts';
import type { ReplyTarget } from './reply-target.ts';
import type { LaterMessage } from './schedule-dialog.tsx';
import { ScheduledChip } from './scheduled-chip.tsx';
import { UnsentTray } from './unsent-tray.tsx';
import { useDraft } from './use-draft.ts';
import { useObjections } from './use-objections.tsx';
import type { useSendMessage } from './use-send-message.ts';
import { useTeammateCheck } from './use-teammate-check.ts';
import { type Preset, useTemplates } from './use-templates.tsx';

const FileStrip = lazyPart(async () => (await import('./file-strip.tsx')).FileStrip);
const SendProductDialog = lazyPart(
  async () => (await import('./send-product-dialog.tsx')).SendProductDialog,
);

const ScheduleDialog = lazyPart(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog);

/** What the rest of the pane can ask of the reply. */
export interface ReplyControls {
  focus: () => void;
  replyTo: (target: ReplyTarget) => void;
  /** Takes what was not sent back for editing, its text before what is already written. */
  takeBack: (message: TakenBack) => void;
  addFiles: (files: readonly File[]) => void;
  /** One step out: of the quote, and then to the conversation's row. */
  leave: () => void;
}

/** Send Product is open: with what a template offers, or for any choice. */
type Offering = Preset | 'any';

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
  /** Opens the templates, of which one may be put into the reply. */
  onTemplates: (onUse: (template: Template) => void) => void;
  /** Shows what is to be sent to this fan later. */
  onScheduled: () => void;
  /** Something else may be shown in its place: called before a command shows what is part of it. */
  onActivate: () => void;
  ref: Ref<ReplyControls>;
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
    onActivate,
    ref,
  } = props;
  const composer = useRef<ComposerControls>(null);
  const { draft, change, clear, isSaved } = useDraft(conversationId);
  const teammate = useTeammateCheck(thread, myId, draft.text);
  const { replyTo, text } = draft;
  const { strip } = sending;
  const attach = useRef<AttachMenuControls>(null);
  const [offering, setOffering] = useState<Offering | null>(null);
  const [later, setLater] = useState<LaterMessage | null>(null);
  const objections = useObjections(text);
  const templates = useTemplates({
    conversationId,
    text,
    onText: (next) => change({ text: next }),
    onOffer: setOffering,
    // A dialog that it was chosen in gives the focus back first.
    onInserted: () => requestAnimationFrame(() => composer.current?.focus()),
  });

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
  const dropQuote = () => {
    change({ replyTo: null });
    composer.current?.focus();
  };
  const leave = () => (replyTo ? dropQuote() : focusRow());
  useImperativeHandle(ref, () => ({
    focus: () => composer.current?.focus(),
    replyTo: (target) => {
      change({ replyTo: target });
      composer.current?.focus();
    },
    takeBack,
    addFiles,
    leave,
  }));

  const finish = () => {
    clear();
    onTyping('');
    teammate.reset();
    onSent();
  };
  const maySend = () => {
    if (objections.first === null) return teammate.mayContinue();
    composer.current?.select(objections.first);
    return false;
  };
  const sendText = () => {
    if (sending.isBlocked() || !maySend()) return;
    if (sending.send(text.trim(), replyTo, teammate.guard())) finish();
  };
  const send = () => {
    if (strip.files.length === 0) return sendText();
    if (strip.sending !== null || !maySend()) return;
    sending.sendWithFiles(text.trim(), replyTo, teammate.guard());
    finish();
  };
  const canSchedule = text.trim() !== '' || strip.files.length > 0;
  const sendLater = () => {
    if (!canSchedule || strip.sending !== null) return composer.current?.focus();
    if (objections.first !== null) return composer.current?.select(objections.first);
    setLater({ content: text.trim(), offer: null });
  };
  const sendProduct = (product: Product, price: number) => {
    if (!sending.send(OFFER_CONTENT, null, teammate.guard(), [offerOf(product, price)])) return;
    setOffering(null);
    onSent();
  };
  useCommands([
    {
      id: 'attach',
      title: t('Attach'),
      section: t('Conversation'),
      keys: ['a'],
      run: () => {
        onActivate();
        attach.current?.open();
      },
    },
    {
      id: 'send_product',
      title: t('Send Product'),
      section: t('Conversation'),
      keys: ['p'],
      run: () => {
        onActivate();
        setOffering('any');
      },
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
      <ScheduledChip conversationId={conversationId} onOpen={props.onScheduled} />
      {objections.bars}
      <div className="relative">
        {templates.picker}
        <Composer
          ref={composer}
          fanName={fanName}
          text={text}
          onChange={(next, caret) => {
            teammate.begin(next);
            onTyping(next);
            templates.onTyped(next, caret);
            change({ text: next });
          }}
          onKey={templates.onKeyDown}
          onBlur={templates.leave}
          fieldProps={templates.fieldProps}
          marks={objections.marks}
          onSend={send}
          onSendText={sendText}
          hasFiles={strip.files.length > 0}
          isUploading={strip.sending !== null}
          onFiles={addFiles}
          otherWays={
            <IconButton
              label={t('Send later')}
              aria-disabled={!canSchedule}
              onClick={sendLater}
              className="aria-disabled:text-fg-3 coarse:size-11"
            >
              <Clock aria-hidden="true" size={16} strokeWidth={1.75} />
            </IconButton>
          }
          attachMenu={
            <AttachMenu
              ref={attach}
              onFiles={addFiles}
              onSendProduct={() => setOffering('any')}
              onTemplates={() => props.onTemplates(templates.use)}
            />
          }
          isSending={sending.isSending}
          meanwhile={meanwhile}
          status={isSaved && text.trim() !== '' ? t('Draft saved') : ''}
          onEscape={leave}
        >
          {replyTo && (
            <ReplyBar
              target={shownTarget(replyTo)}
              onOpen={() => onShowMessage(replyTo.id)}
              onCancel={dropQuote}
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
      </div>
      {offering !== null && (
        <Suspense fallback={null}>
          <SendProductDialog
            conversationId={conversationId}
            preset={offering === 'any' ? null : offering}
            fanName={fanName}
            isSending={sending.isSending}
            onSend={sendProduct}
            onLater={(product, price) => {
              setOffering(null);
              setLater({ content: OFFER_CONTENT, offer: offerOf(product, price) });
            }}
            onClose={() => setOffering(null)}
          />
        </Suspense>
      )}
      {later !== null && (
        <Suspense fallback={null}>
          <ScheduleDialog
            conversationId={conversationId}
            fanName={fanName}
            message={later}
            onScheduled={() => {
              setLater(null);
              if (later.offer === null) finish();
            }}
            onClose={() => setLater(null)}
          />
        </Suspense>
      )}
    </>
  );
}
