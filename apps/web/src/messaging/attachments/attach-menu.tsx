import {
  AudioLines,
  Clapperboard,
  Image,
  type LucideIcon,
  Mic,
  NotebookText,
  Plus,
  Tag,
} from 'lucide-react';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { focusWithPopover } from '../../ui/overlay/focus-with-popover.ts';
import { type Placement, usePlacement } from '../../ui/overlay/place-overlay.ts';

/** Lets the composer open the menu. */
export interface AttachMenuControls {
  open: () => void;
}

interface AttachMenuProps {
  onFiles: (files: readonly File[]) => void;
  onSendProduct: () => void;
  onTemplates: () => void;
  ref: Ref<AttachMenuControls>;
}

interface Picker {
  label: string;
  icon: LucideIcon;
  accept: string;
  multiple: boolean;
}

const PICKERS: readonly Picker[] = [
  { label: t('Photos'), icon: Image, accept: 'image/*', multiple: true },
  { label: t('Videos'), icon: Clapperboard, accept: 'video/*', multiple: true },
  { label: t('Audio'), icon: AudioLines, accept: 'audio/*', multiple: false },
];

const PLACEMENT: Placement = { side: 'above', align: 'start', gap: 8 };

/** The plus button and its menu of attachments. Arrow keys move within the menu; Escape closes it. */
export function AttachMenu({ onFiles, onSendProduct, onTemplates, ref }: AttachMenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const items = () => [
    ...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
  ];
  useImperativeHandle(ref, () => ({
    open: () => {
      button.current?.focus();
      panel.current?.showPopover();
    },
  }));
  const placeBeside = usePlacement(panel, PLACEMENT);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    if (event.key === 'Tab') panel.current?.hidePopover();
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  };
  const choose = (act: () => void) => () => {
    panel.current?.hidePopover();
    act();
  };
  const pick = ({ accept, multiple }: Picker) => {
    if (!picker.current) return;
    picker.current.accept = accept;
    picker.current.multiple = multiple;
    picker.current.click();
  };
  return (
    <>
      <IconButton
        ref={button}
        label={t('Attach')}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        className="coarse:size-11"
      >
        <Plus aria-hidden="true" size={18} strokeWidth={1.75} />
      </IconButton>
      <input
        ref={picker}
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        aria-label={t('Files')}
        className="hidden"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Without this reset, choosing a file again after removing it fires no change event.
          currentTarget.value = '';
        }}
      />
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="menu"
        aria-label={t('Attach')}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          placeBeside(newState === 'open' ? button.current : null);
        }}
        className="fixed right-auto m-0 min-w-52 max-w-[calc(100vw-16px)] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1 text-control text-fg shadow-overlay"
      >
        {PICKERS.map((each, index) => (
          <Item
            key={each.label}
            ref={index === 0 ? focusWithPopover : undefined}
            icon={each.icon}
            onClick={choose(() => pick(each))}
          >
            {each.label}
          </Item>
        ))}
        <hr className="my-1 border-line" />
        <Item icon={Tag} onClick={choose(onSendProduct)}>
          {t('Send Product')}
        </Item>
        <Item icon={NotebookText} onClick={choose(onTemplates)}>
          {t('Templates')}
        </Item>
        <Item icon={Mic} disabled hint={t('Coming soon')}>
          {t('Record Voice')}
        </Item>
      </div>
    </>
  );
}

interface ItemProps {
  ref?: Ref<HTMLButtonElement> | undefined;
  icon: LucideIcon;
  children: string;
  onClick?: () => void;
  disabled?: boolean;
  hint?: string;
}

function Item({ ref, icon: Icon, children, onClick, disabled = false, hint }: ItemProps) {
  return (
    <button
      ref={ref}
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      onClick={onClick}
      className={classes(
        'flex min-h-8 w-full items-center gap-2.5 rounded-chip px-2.5 text-start transition-colors duration-80 focus-visible:-outline-offset-2 coarse:min-h-11',
        disabled ? 'text-fg-3' : 'hover:bg-hover',
      )}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="flex-1">{children}</span>
      {hint && <span className="text-meta text-fg-3">{hint}</span>}
    </button>
  );
}
