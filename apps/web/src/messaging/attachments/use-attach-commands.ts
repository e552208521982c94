import type { RefObject } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import type { AttachMenuControls } from './attach-menu.tsx';

interface AttachCommandsInput {
  attach: RefObject<AttachMenuControls | null>;
  onSendProduct: () => void;
  /** Called before either command runs, to make the reply visible. */
  onActivate: () => void;
}

/** Registers the shortcuts for the attach menu and Send Product. */
export function useAttachCommands({ attach, onSendProduct, onActivate }: AttachCommandsInput) {
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
        onSendProduct();
      },
    },
  ]);
}
