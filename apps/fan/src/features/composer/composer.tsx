import { formatBytes } from '@stagedoor/browser/format';
import { pastedFiles } from '@stagedoor/browser/pasted-files';
import { MESSAGE_MAX_CHARS } from '@stagedoor/contract/messaging/messages';
import { ArrowUp, File as FileIcon, Film, Music, Plus, Reply, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LocalPicture } from '../../ui/local-picture.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { ReplyTarget } from './state.ts';
import type { Draft } from './use-draft.ts';

/** The files for the next message. */
interface ChosenFiles {
  files: readonly File[];
  objections: readonly string[];
  add: (files: readonly File[]) => void;
  remove: (file: File) => void;
}

interface ComposerProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  chosen: ChosenFiles;
  onSend: () => void;
  creatorName: string;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The maximum height of the field before it scrolls. CSS pixels. */
const MAX_HEIGHT = 152;

export function Composer(props: ComposerProps) {
  const { draft, onChange, chosen, onSend, creatorName, field } = props;
  const { files, objections } = chosen;
  const picker = useRef<HTMLInputElement>(null);
  const [isComposing, setComposing] = useState(false);
  const left = MESSAGE_MAX_CHARS - draft.text.length;
  const canSend = (draft.text.trim() !== '' || files.length > 0) && left >= 0;

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`;
  }, [draft.text, field]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.shiftKey && !isComposing;
    // On a touch keyboard Enter starts a new line.
    if (!isEnter || event.nativeEvent.isComposing || isTouch()) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
      className="shrink-0 bg-surface px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] md:px-4"
    >
      {objections.length > 0 && (
        <div className="px-1 pb-2">
          <Notice text={objections.join(' ')} />
        </div>
      )}
      {draft.replyTo && (
        <ReplyBar target={draft.replyTo} onCancel={() => onChange({ replyTo: null })} />
      )}
      {files.length > 0 && <FileStrip files={files} onRemove={chosen.remove} />}
      <div className="flex items-end gap-1.5">
        <IconButton
          label={t('Attach files')}
          title={t('Attach files')}
          onClick={() => picker.current?.click()}
        >
          <Plus />
        </IconButton>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={t('Files')}
          onChange={(event) => {
            chosen.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        <div className="flex min-w-0 flex-1 flex-col rounded-[22px] border border-control/40 bg-surface-2 transition-colors focus-within:border-accent-text">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            value={draft.text}
            aria-label={t('Message {name}', { name: creatorName })}
            placeholder={t('Message')}
            enterKeyHint="enter"
            onChange={(event) => onChange({ text: event.currentTarget.value })}
            onKeyDown={onKeyDown}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
            onPaste={(event) => {
              const pasted = pastedFiles(event.clipboardData);
              if (pasted.length === 0) return;
              event.preventDefault();
              chosen.add(pasted);
            }}
            className="block max-h-[152px] w-full resize-none bg-transparent px-4 py-[10px] text-message outline-none"
          />
          {left < 500 && (
            <p
              role="status"
              className={classes(
                'px-4 pb-2 text-end text-meta tabular-nums',
                left < 0 ? 'font-semibold text-danger' : 'text-fg-3',
              )}
            >
              {left < 0
                ? t('{count, plural, one {# character too long} other {# characters too long}}', {
                    count: -left,
                  })
                : t('{count, plural, one {# character left} other {# characters left}}', {
                    count: left,
                  })}
            </p>
          )}
        </div>
        <button
          type="submit"
          aria-label={t('Send')}
          title={t('Send')}
          disabled={!canSend}
          // Keeps the on-screen keyboard open.
          onPointerDown={(event) => event.preventDefault()}
          className="flex size-11 shrink-0 items-center justify-center rounded-full bg-accent text-white transition duration-150 hover:bg-accent-hover active:scale-95 disabled:bg-surface-2 disabled:text-fg-3"
        >
          <ArrowUp size={22} strokeWidth={2.5} />
        </button>
      </div>
    </form>
  );
}

const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

function ReplyBar({ target, onCancel }: { target: ReplyTarget; onCancel: () => void }) {
  return (
    <div className="mb-2 flex items-center gap-3 rounded-control bg-surface-2 py-0.5 ps-3 pe-0.5">
      <Reply size={18} className="shrink-0 text-accent-text rtl:-scale-x-100" />
      <p className="min-w-0 flex-1 text-control">
        <span className="block truncate font-semibold text-accent-text">
          <span className="sr-only">{t('Replying to:')} </span>
          {target.sender}
        </span>
        <span dir="auto" className="block truncate text-fg-2">
          {target.preview}
        </span>
      </p>
      <IconButton label={t('Cancel reply')} onClick={onCancel}>
        <X size={18} />
      </IconButton>
    </div>
  );
}

interface FileStripProps {
  files: readonly File[];
  onRemove: (file: File) => void;
}

function FileStrip({ files, onRemove }: FileStripProps) {
  return (
    <ul aria-label={t('Selected files')} className="mb-2 flex gap-2 overflow-x-auto px-1 py-2">
      {files.map((file) => (
        <li
          key={`${file.name} ${file.size} ${file.lastModified}`}
          className="relative size-20 shrink-0 rounded-control bg-surface-2"
        >
          <Chosen file={file} />
          <button
            type="button"
            aria-label={t('Remove {name}', { name: file.name })}
            title={t('Remove {name}', { name: file.name })}
            onClick={() => onRemove(file)}
            className="absolute -top-2 -end-2 flex size-7 items-center justify-center rounded-full border-2 border-surface bg-fg text-surface before:absolute before:-inset-2 before:content-['']"
          >
            <X size={14} strokeWidth={2.5} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Chosen({ file }: { file: File }) {
  const [kind] = file.type.split('/');
  if (kind === 'image')
    return <LocalPicture file={file} className="size-full rounded-control object-cover" />;
  const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : FileIcon;
  return (
    <span className="flex size-full flex-col items-center justify-center gap-0.5 px-1.5 text-badge text-fg-2">
      <Icon size={22} strokeWidth={1.75} />
      <span className="w-full truncate text-center">{file.name}</span>
      <bdi className="tabular-nums">{formatBytes(file.size)}</bdi>
    </span>
  );
}
