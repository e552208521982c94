import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { rich } from '@stagedoor/browser/rich-text';
import { MESSAGE_MAX_CHARS } from '@stagedoor/contract/messaging/messages';
import { Clock } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react';
import { isComposing, shortcutName } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { CharactersLeft } from '../../ui/form/characters-left.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { AttachMenu, type AttachMenuControls } from '../attachments/attach-menu.tsx';
import { changeStrip, chooseFiles, takeBackFiles } from '../attachments/chosen-files.ts';
import { useAttachCommands } from '../attachments/use-attach-commands.ts';
import {
  type TakenBack,
  useOpenConversation,
  type WritingControls,
} from '../messages/open-conversation.ts';
import { useSendMessage } from '../messages/use-send-message.ts';
import { NoticeBar, ReplyBar, TeammateBar } from './composer-bars.tsx';
import { focusRow } from './focus-row.ts';
import { ReplyField, type ReplyFieldControls } from './reply-field.tsx';
import { SendButton } from './send-button.tsx';
import { TypingNote } from './typing-note.tsx';
import { UnsentTray } from './unsent-tray.tsx';
import { useAskedFocus } from './use-asked-focus.ts';
import { useDraft } from './use-draft.ts';
import { useOutgoing } from './use-outgoing.tsx';
import { useTeammateCheck } from './use-teammate-check.ts';
import { useTemplates } from './use-templates.tsx';

const FileStrip = lazyExtra(async () => (await import('../attachments/file-strip.tsx')).FileStrip);

export interface ReplyControls extends Omit<WritingControls, 'editNote'> {
  focus: () => void;
  /** Cancels the quote if there is one; otherwise focuses the conversation's row. */
  leave: () => void;
}

interface ReplyBoxProps {
  /** Whether to hide the reply because a note is being written. Notices stay visible. */
  isHidden: boolean;
  /** Called before Attach or Send Product opens, to hide the note first. */
  onActivate: () => void;
  ref: Ref<ReplyControls>;
}

/** The reply being written, with its attachments, templates and dialogs. */
export function ReplyBox({ isHidden, onActivate, ref }: ReplyBoxProps) {
  const { id, fanName, thread, reportTyping, openTemplates } = useOpenConversation();
  const field = useRef<ReplyFieldControls>(null);
  const attach = useRef<AttachMenuControls>(null);
  const { draft, change, clear, isSaved } = useDraft(id);
  const { replyTo, text } = draft;
  const teammate = useTeammateCheck(text);
  const sending = useSendMessage(id);
  const { strip } = sending;
  const finish = () => {
    clear();
    reportTyping('');
    teammate.reset();
  };
  const changeText = (text: string) => {
    teammate.begin(text);
    change({ text });
  };
  const outgoing = useOutgoing({ text, replyTo, sending, teammate, field, onGone: finish });
  const { objections } = outgoing;
  const templates = useTemplates({
    text,
    onText: changeText,
    onOffer: outgoing.offer,
    // Waits a frame: if the template was chosen in a dialog, the dialog restores the focus first.
    onInserted: () => requestAnimationFrame(() => field.current?.focus()),
  });
  useAskedFocus(field);

  const takeBack = ({ content, replyTo: target, attachments }: TakenBack) => {
    const texts = [content, text].filter((part) => part.trim() !== '');
    change({ text: texts.join('\n'), replyTo: replyTo ?? target });
    if (attachments.length > 0)
      takeBackFiles(
        id,
        attachments.map(({ shown }) => shown),
      );
    field.current?.focus();
  };
  const addFiles = (files: readonly File[]) => {
    chooseFiles(id, files);
    field.current?.focus();
  };
  const quote = (target: typeof replyTo) => {
    change({ replyTo: target });
    field.current?.focus();
  };
  const leave = () => (replyTo ? quote(null) : focusRow());
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    replyTo: quote,
    takeBack,
    addFiles,
    leave,
  }));
  const offerAny = () => outgoing.offer('any');
  useAttachCommands({ attach, onSendProduct: offerAny, onActivate });

  const isTooLong = text.trim().length > MESSAGE_MAX_CHARS;
  const canSendText = text.trim() !== '' && !isTooLong && !sending.isSending;
  const hasFiles = strip.files.length > 0;
  const canSend = hasFiles ? !isTooLong && strip.sending === null : canSendText;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (canSend) outgoing.send();
  };

  return (
    <>
      <div className="col-span-2">
        <NoticeBar />
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
        {objections.bars}
        {replyTo && !isHidden && (
          <ReplyBar
            target={replyTo}
            onOpen={() => thread.current?.showMessage(replyTo.id)}
            onCancel={() => quote(null)}
          />
        )}
        {(hasFiles || strip.problem !== null) && !isHidden && (
          <FileStrip
            strip={strip}
            onRemove={sending.removeFile}
            onRetry={() => sending.sendWithFiles('', null, teammate.guard())}
            onDismiss={() => changeStrip(id, { problem: null, canRetry: false })}
          />
        )}
      </div>
      <div
        hidden={isHidden}
        className="absolute inset-x-4 bottom-full mb-[9px] flex h-5 items-center justify-between gap-3 pb-1 text-meta text-fg-3 md:bg-bg max-md:inset-x-3 max-md:mb-[5px]"
      >
        <span className={classes('truncate rounded-chip bg-bg', text === '' && 'max-md:sr-only')}>
          {rich('To {name}', {
            name: <strong className="font-semibold text-fg">{fanName}</strong>,
          })}
        </span>
        <span role="status" className="me-auto min-w-0 rounded-chip bg-bg">
          <TypingNote />
        </span>
        <span role="status" className="shrink-0 rounded-chip bg-bg">
          {isSaved && text.trim() !== '' ? t('Draft saved') : ''}
        </span>
      </div>
      <form
        hidden={isHidden}
        className="relative order-2"
        onSubmit={submit}
        onKeyDown={(event) => {
          const { nativeEvent } = event;
          if (isComposing(nativeEvent) || shortcutName(nativeEvent) !== 'Mod+Enter') return;
          if (event.repeat) event.preventDefault();
          else submit(event);
        }}
      >
        {templates.picker}
        <div className="flex items-end gap-1 rounded-card border border-control bg-surface p-1 max-md:p-0.5 transition-colors duration-80 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
          <AttachMenu
            ref={attach}
            onFiles={addFiles}
            onSendProduct={offerAny}
            onTemplates={() => openTemplates(templates.use)}
          />
          <ReplyField
            ref={field}
            text={text}
            onChange={(next, caret) => {
              reportTyping(next);
              templates.onTyped(next, caret);
              changeText(next);
            }}
            marks={objections.marks}
            templates={templates}
            onEnter={() => {
              if (canSendText) outgoing.sendText();
            }}
            onEscape={leave}
            onFiles={addFiles}
          />
          <CharactersLeft text={text} max={MESSAGE_MAX_CHARS} />
          <IconButton
            label={t('Schedule Message')}
            aria-disabled={!outgoing.canSchedule}
            onClick={outgoing.schedule}
            className="aria-disabled:text-fg-3 coarse:size-11"
            icon={<Clock />}
          />
          <SendButton canSend={canSend} />
        </div>
      </form>
      {outgoing.dialogs}
    </>
  );
}
