import { pastedFiles } from '@stagedoor/browser/pasted-files';
import { MESSAGE_MAX_CHARS } from '@stagedoor/contract/messaging/messages';
import { type KeyboardEvent, type Ref, useImperativeHandle } from 'react';
import { isComposing, shortcutName } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { useAutoGrow } from '../../ui/form/use-auto-grow.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { MarkedText } from './marked-text.tsx';
import type { MarkedPart } from './use-objections.tsx';
import type { useTemplates } from './use-templates.tsx';

/** Controls the text field of the reply. */
export interface ReplyFieldControls {
  focus: () => void;
  /** Selects a part of the text, ready to be overwritten. */
  select: (part: MarkedPart) => void;
}

interface ReplyFieldProps {
  text: string;
  /** @param caret the caret position after the change */
  onChange: (text: string, caret: number) => void;
  /** Parts of the text that must be changed before sending. */
  marks: readonly MarkedPart[];
  templates: Pick<ReturnType<typeof useTemplates>, 'onKeyDown' | 'leave' | 'fieldProps'>;
  onEnter: () => void;
  onEscape: () => void;
  /** Called when files are pasted. */
  onFiles: (files: readonly File[]) => void;
  ref: Ref<ReplyFieldControls>;
}

/** The text field of the reply. Enter sends, Shift+Enter adds a line. */
export function ReplyField(props: ReplyFieldProps) {
  const { text, onChange, marks, templates, onEnter, onEscape, onFiles, ref } = props;
  const { fanName } = useOpenConversation();
  const field = useAutoGrow(text);
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    select({ start, end }) {
      field.current?.focus();
      field.current?.setSelectionRange(start, end);
    },
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const handle = templates.onKeyDown(event)
      ? () => undefined
      : shortcutName(event.nativeEvent) === 'Enter' && !event.shiftKey
        ? onEnter
        : event.key === 'Escape' && onEscape;
    if (!handle) return;
    event.preventDefault();
    handle();
  };
  return (
    <div className="relative flex min-w-0 flex-1">
      {marks.length > 0 && <MarkedText text={text} marks={marks} field={field} />}
      <textarea
        {...templates.fieldProps}
        data-reply-field
        ref={field}
        rows={1}
        value={text}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value, currentTarget.selectionStart)
        }
        onKeyDown={onKeyDown}
        onBlur={templates.leave}
        onPaste={(event) => {
          const pasted = pastedFiles(event.clipboardData);
          if (pasted.length === 0) return;
          event.preventDefault();
          onFiles(pasted);
        }}
        placeholder={t('Reply as creator...')}
        aria-label={t('Reply as creator to {name}', { name: fanName })}
        aria-invalid={text.trim().length > MESSAGE_MAX_CHARS || marks.length > 0}
        enterKeyHint="send"
        className="field-sizing-content max-h-[min(40dvh,240px)] relative min-h-8 min-w-0 flex-1 resize-none bg-transparent py-[5px] text-message outline-none coarse:min-h-11 coarse:py-[11px]"
      />
    </div>
  );
}
