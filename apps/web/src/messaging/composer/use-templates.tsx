import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { chooseTemplateFiles } from '../attachments/chosen-files.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { conversationOptions } from '../messages/queries.ts';
import { noteUse } from '../templates/queries.ts';
import type { PickerControls } from './template-picker.tsx';
import { fillTemplate, PICKER_ID, slashQuery, withTemplateText } from './template-text.ts';

const TemplatePicker = lazyExtra(
  async () => (await import('./template-picker.tsx')).TemplatePicker,
);

/** A product that a template offers. */
export interface Preset {
  productId: string;
  /** USD. */
  price: number;
}

interface TemplatesOptions {
  text: string;
  onText: (text: string) => void;
  /** Called when a template that offers a product is used. */
  onOffer: (preset: Preset) => void;
  /** Called after a template was inserted into the text. */
  onInserted: () => void;
}

/** Handles templates in a reply: the list that a leading `/` opens, and the insertion. */
export function useTemplates(options: TemplatesOptions) {
  const { text, onText, onOffer, onInserted } = options;
  const { id: conversationId } = useOpenConversation();
  const { data: conversation } = useQuery(conversationOptions(conversationId));
  const [caret, setCaret] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const controls = useRef<PickerControls>(null);
  /** Whether Escape closed the list; it stays closed until another `/` is typed. */
  const isLeft = useRef(false);
  const query = caret === null ? null : slashQuery(text, caret);

  const insert = (template: Template, from: number) => {
    if (!conversation) return;
    const filled = fillTemplate(template.content, conversation.fan);
    onText(withTemplateText(text, from, filled));
    setCaret(null);
    chooseTemplateFiles(conversationId, template);
    noteUse(template.id);
    onInserted();
    const { product } = template;
    if (product) onOffer({ productId: product.id, price: product.price });
  };
  const picker: ReactNode = query !== null && (
    <TemplatePicker
      ref={controls}
      query={query}
      onActive={setActiveId}
      onChoose={(template) => insert(template, caret ?? 0)}
    />
  );
  return {
    picker,
    /** Inserts a template before the written text. */
    use: (template: Template) => insert(template, 0),
    /**
     * Called when text was typed.
     * @param at the caret position
     */
    onTyped(next: string, at: number) {
      if (!next.startsWith('/') || next === '/') isLeft.current = false;
      setCaret(isLeft.current || slashQuery(next, at) === null ? null : at);
    },
    /** Closes the list. */
    leave: () => setCaret(null),
    /** Returns whether the list handled the key. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (query === null || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)
        return false;
      if (event.key === 'Escape') {
        isLeft.current = true;
        setCaret(null);
        return true;
      }
      return controls.current?.onKey(event.key) ?? false;
    },
    /** ARIA attributes of the text field while the list is open. */
    fieldProps:
      query === null
        ? {}
        : ({
            'aria-autocomplete': 'list',
            'aria-haspopup': 'listbox',
            'aria-controls': PICKER_ID,
            'aria-activedescendant': activeId ?? undefined,
          } as const),
  };
}
