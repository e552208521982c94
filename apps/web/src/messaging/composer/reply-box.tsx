import type { Template } from '@stagedoor/contract/messaging/templates';
import { type ReactNode, type Ref, Suspense, useImperativeHandle, useRef } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../lib/text/i18n.ts';
import { AttachMenu, type AttachMenuControls } from '../attachments/attach-menu.tsx';
import { changeStrip, chooseFiles, takeBackFiles } from '../attachments/chosen-files.ts';
import { useAttachCommands } from '../attachments/use-attach-commands.ts';
import type { Thread } from '../messages/cache.ts';
import { shownTarget } from '../messages/message-text.ts';
import type { useSendMessage } from '../messages/use-send-message.ts';
import { Composer, type ComposerControls } from './composer.tsx';
import { NoticeBar, ReplyBar, TeammateBar } from './composer-bars.tsx';
import { focusRow } from './focus-row.ts';
import type { ReplyControls, TakenBack } from './reply-controls.ts';
import { ScheduleButton } from './schedule-button.tsx';
import { ScheduledChip } from './scheduled-chip.tsx';
import { UnsentTray } from './unsent-tray.tsx';
import { useAskedFocus } from './use-asked-focus.ts';
import { useDraft } from './use-draft.ts';
import { useOutgoing } from './use-outgoing.tsx';
import { useTeammateCheck } from './use-teammate-check.ts';
import { useTemplates } from './use-templates.tsx';

const FileStrip = lazyPart(async () => (await import('../attachments/file-strip.tsx')).FileStrip);

interface ReplyBoxProps {
  conversationId: string;
  fanName: string;
  thread: Thread;
  myId: string;
  sending: ReturnType<typeof useSendMessage>;
  notice: string | null;
  onDismissNotice: () => void;
  /** Teammates' activity, above the text field. */
  meanwhile: ReactNode;
  /** Called with the text on every change; blank when typing has stopped. */
  onTyping: (text: string) => void;
  onSent: () => void;
  onShowMessage: (id: string) => void;
  /** Opens the templates. `onUse` inserts the chosen one. */
  onTemplates: (onUse: (template: Template) => void) => void;
  /** Opens this fan's scheduled messages. */
  onScheduled: () => void;
  /** Called before a command shows part of the reply, because the note may be shown instead. */
  onActivate: () => void;
  ref: Ref<ReplyControls>;
}

/** The reply being written, with its attachments, templates and dialogs. */
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

  const finish = () => {
    clear();
    onTyping('');
    teammate.reset();
    onSent();
  };
  const outgoing = useOutgoing({
    conversationId,
    fanName,
    text,
    replyTo,
    sending,
    teammate,
    composer,
    onGone: finish,
    onOffered: onSent,
  });
  const { objections } = outgoing;
  const templates = useTemplates({
    conversationId,
    text,
    onText: (next) => change({ text: next }),
    onOffer: outgoing.offer,
    // If a dialog was used to choose it, the dialog restores focus first.
    onInserted: () => requestAnimationFrame(() => composer.current?.focus()),
  });
  useAskedFocus(composer);

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
  const offerAny = () => outgoing.offer('any');
  useAttachCommands({ attach, onSendProduct: offerAny, onActivate });

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
      {teammate.isAsking && <TeammateBar onSend={outgoing.send} />}
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
          onSend={outgoing.send}
          onSendText={outgoing.sendText}
          hasFiles={strip.files.length > 0}
          isUploading={strip.sending !== null}
          onFiles={addFiles}
          otherWays={<ScheduleButton isReady={outgoing.canSchedule} onPress={outgoing.sendLater} />}
          attachMenu={
            <AttachMenu
              ref={attach}
              onFiles={addFiles}
              onSendProduct={offerAny}
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
      {outgoing.dialogs}
    </>
  );
}
