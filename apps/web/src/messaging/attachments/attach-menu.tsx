import {
  AudioLines,
  Clapperboard,
  File as FileIcon,
  Image,
  Mic,
  NotebookText,
  Plus,
  Tag,
} from 'lucide-react';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import type { Placement } from '../../ui/overlay/place-overlay.ts';

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

const PICKERS = [
  { label: t('Photos'), icon: Image, accept: 'image/*', multiple: true },
  { label: t('Videos'), icon: Clapperboard, accept: 'video/*', multiple: true },
  { label: t('Audio'), icon: AudioLines, accept: 'audio/*', multiple: false },
  { label: t('File'), icon: FileIcon, accept: '', multiple: true },
];

const PLACEMENT: Placement = { side: 'above', align: 'start', gap: 8 };

/** The plus button and its menu of attachments. */
export function AttachMenu({ onFiles, onSendProduct, onTemplates, ref }: AttachMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    open: () => {
      button.current?.focus();
      const menu = button.current?.popoverTargetElement;
      if (menu instanceof HTMLElement) menu.showPopover();
    },
  }));
  const pick = (accept: string, multiple: boolean) => {
    if (!picker.current) return;
    picker.current.accept = accept;
    picker.current.multiple = multiple;
    picker.current.click();
  };
  return (
    <>
      <Menu
        label={t('Attach')}
        placement={PLACEMENT}
        trigger={
          <IconButton
            ref={button}
            label={t('Attach')}
            className="coarse:size-11"
            icon={<Plus size={18} />}
          />
        }
        items={[
          ...PICKERS.map(({ accept, multiple, ...item }) => ({
            ...item,
            onSelect: () => pick(accept, multiple),
          })),
          'separator',
          { label: t('Send Product'), icon: Tag, onSelect: onSendProduct },
          { label: t('Templates'), icon: NotebookText, onSelect: onTemplates },
          {
            label: t('Record Voice'),
            icon: Mic,
            onSelect: () => undefined,
            disabledBecause: t('Coming soon'),
          },
        ]}
      />
      <FilePicker ref={picker} onFiles={onFiles} />
    </>
  );
}
