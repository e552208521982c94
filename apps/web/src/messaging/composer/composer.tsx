import { rich } from '@stagedoor/browser/rich-text';
import { MESSAGE_MAX_CHARS } from '@stagedoor/contract/messaging/messages';
import { SendHorizontal } from 'lucide-react';
import {
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { isComposing, shortcutName } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { MarkedText } from './marked-text.tsx';
import type { MarkedPart } from './use-objections.tsx';

/** The remaining characters are shown from this length on. */
const SHOW_LIMIT_FROM = MESSAGE_MAX_CHARS - 500;

/** Lets the pane control the text field. */
export interface ComposerControls {
  focus: () => void;
  /** Selects a part of the text, ready to be overwritten. */
  select: (part: MarkedPart) => void;
}

interface ComposerProps {
  fanName: string;
  text: string;
  /** @param caret the caret position after the change */
  onChange: (text: string, caret: number) => void;
  /** Returns whether a key pressed in the text field was handled elsewhere. */
  onKey: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  onBlur: () => void;
  /** Additional ARIA attributes of the text field. */
  fieldProps: AriaAttributes;
  /** Parts of the text that must be changed before sending. */
  marks: readonly MarkedPart[];
  /** Sends the text and files. Only called if there is something to send. */
  onSend: () => void;
  /** Sends only the text. Only called if there is text to send. */
  onSendText: () => void;
  hasFiles: boolean;
  /** Whether chosen files are being uploaded. Meanwhile only text can be sent. */
  isUploading: boolean;
  /** Called when files are pasted. */
  onFiles: (files: readonly File[]) => void;
  attachMenu: ReactNode;
  /** Buttons next to Send. */
  otherWays: ReactNode;
  /** Whether another message is being sent. This one has to wait, but typing stays possible. */
  isSending: boolean;
  /** Teammates' activity, centered above the text. */
  meanwhile: ReactNode;
  /** A short status on the right, above the text. */
  status: string;
  onEscape: () => void;
  /** Content between the fan's name and the text field. */
  children: ReactNode;
  ref: Ref<ComposerControls>;
}

/** Grows the field with its text in browsers without `field-sizing`. */
function useAutoGrow(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return field;
}

/** The form for a reply. */
export function Composer(props: ComposerProps) {
  const { fanName, text, onChange, onSend, isSending, status, onEscape, children, ref } = props;
  const { onSendText, hasFiles, isUploading, onFiles, attachMenu, meanwhile } = props;
  const field = useAutoGrow(text);
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    select({ start, end }) {
      field.current?.focus();
      field.current?.setSelectionRange(start, end);
    },
  }));
  const left = MESSAGE_MAX_CHARS - text.trim().length;
  const canSendText = text.trim() !== '' && left >= 0 && !isSending;
  const canSend = hasFiles ? left >= 0 && !isUploading : canSendText;
  const send = () => {
    if (canSend) onSend();
  };
  const onSendKeys = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || shortcutName(event.nativeEvent) !== 'Mod+Enter') return;
    event.preventDefault();
    if (!event.repeat) send();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (props.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (shortcutName(event.nativeEvent) === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (canSendText) onSendText();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onEscape();
    }
  };
  return (
    <form
      className="group/reply"
      onKeyDown={onSendKeys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {/* On a phone, shown while a reply is being written. */}
      <div
        className={classes(
          'mb-1.5 flex items-baseline justify-between gap-3 text-meta text-fg-3',
          text === '' && 'max-md:not-group-focus-within/reply:sr-only',
        )}
      >
        <span className="truncate">
          {rich('To {name}', {
            name: <strong className="font-semibold text-fg">{fanName}</strong>,
          })}
        </span>
        <span role="status" className="me-auto min-w-0 truncate">
          {meanwhile}
        </span>
        <span role="status" className="shrink-0">
          {status}
        </span>
      </div>
      {children}
      <div className="flex items-end gap-1 rounded-card border border-control bg-surface p-1 max-md:p-0.5 transition-colors duration-80 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
        {attachMenu}
        <div className="relative flex min-w-0 flex-1">
          {props.marks.length > 0 && <MarkedText text={text} marks={props.marks} field={field} />}
          <textarea
            {...props.fieldProps}
            data-reply-field
            ref={field}
            rows={1}
            value={text}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.value, currentTarget.selectionStart)
            }
            onKeyDown={onKeyDown}
            onBlur={props.onBlur}
            onPaste={(event) => {
              const { files } = event.clipboardData;
              // Office programs copy text together with an image of it. Only the text should be pasted.
              if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
              event.preventDefault();
              onFiles([...files]);
            }}
            placeholder={t('Reply as creator...')}
            aria-label={t('Reply as creator to {name}', { name: fanName })}
            aria-invalid={left < 0 || props.marks.length > 0}
            enterKeyHint="send"
            className="field-sizing-content max-h-[min(40dvh,240px)] relative min-h-8 min-w-0 flex-1 resize-none bg-transparent py-[5px] text-message outline-none coarse:min-h-11 coarse:py-[11px]"
          />
        </div>
        {text.length >= SHOW_LIMIT_FROM && (
          <span
            role="status"
            className={classes(
              'self-center px-1 text-meta tabular-nums',
              left < 0 ? 'font-medium text-danger-text' : 'text-fg-3',
            )}
          >
            {left < 0
              ? t('{count, plural, one {# over the limit} other {# over the limit}}', {
                  count: -left,
                })
              : t('{count, plural, one {# left} other {# left}}', { count: left })}
          </span>
        )}
        {props.otherWays}
        <Tooltip text={t('Send to {name}', { name: fanName })} describes={false}>
          <button
            type="submit"
            aria-label={t('Send to {name}', { name: fanName })}
            aria-disabled={!canSend}
            className={classes(
              'inline-flex size-8 shrink-0 items-center justify-center rounded-control transition-colors duration-80 coarse:size-11',
              canSend ? 'bg-accent text-white hover:bg-accent-hover' : 'bg-surface-2 text-fg-3',
            )}
          >
            <SendHorizontal
              aria-hidden="true"
              size={16}
              strokeWidth={1.75}
              className="rtl:-scale-x-100"
            />
          </button>
        </Tooltip>
      </div>
    </form>
  );
}
