import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { runCommand } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { fileCount, searchTemplates } from '../templates/cache.ts';
import { templatesOptions } from '../templates/queries.ts';
import { PICKER_ID } from './template-text.ts';

/** The maximum number of templates shown. Typing narrows a longer list. */
const MOST_SHOWN = 50;

/** Lets the text field pass its keys to the list. */
export interface PickerControls {
  /** Returns whether the list handled the key. */
  onKey: (key: string) => boolean;
}

interface TemplatePickerProps {
  query: string;
  /** Called with the element id of the option that Enter would choose. */
  onActive: (id: string | null) => void;
  onChoose: (template: Template) => void;
  ref: Ref<PickerControls>;
}

const optionId = ({ id }: Template) => `${PICKER_ID}-${id}`;

/** The matching templates, above the text field, which keeps the focus. */
export function TemplatePicker({ query, onActive, onChoose, ref }: TemplatePickerProps) {
  const templates = useQuery(templatesOptions);
  const [moved, setMoved] = useState({ query, index: 0 });
  const list = useRef<HTMLDivElement>(null);
  const shown = searchTemplates(templates.data ?? [], query).slice(0, MOST_SHOWN);
  // Selects the first match when the query changes.
  const index = moved.query === query ? Math.min(moved.index, shown.length - 1) : 0;
  const active = shown[index];
  const activeId = active ? optionId(active) : null;
  useEffect(() => onActive(activeId), [onActive, activeId]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });
  useImperativeHandle(ref, () => ({
    onKey(key) {
      const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
      const step = steps[key];
      if (step !== undefined && shown.length > 0) {
        setMoved({ query, index: (index + step + shown.length) % shown.length });
        return true;
      }
      if (key !== 'Enter' && key !== 'Tab') return false;
      // Swallows Enter while the list loads, so that it doesn't send the query as a message.
      if (templates.isPending) return key === 'Enter';
      if (!active) return false;
      onChoose(active);
      return true;
    },
  }));
  return (
    <div className="absolute inset-x-0 bottom-full z-10 mb-2 animate-overlay overflow-hidden rounded-card border border-line bg-surface text-control shadow-overlay">
      {templates.isPending && (
        <LoadingLine text={t('Loading templates...')} className="px-3 py-3" />
      )}
      {templates.isLoadingError && (
        <div className="p-2">
          <QueryError query={templates} text={t('Couldn’t load templates')} />
        </div>
      )}
      {templates.data && (
        <p role="status" className={shown.length > 0 ? 'sr-only' : 'px-3 py-3 text-fg-3'}>
          {shown.length > 0 &&
            t('{count, plural, one {# template} other {# templates}}', { count: shown.length })}
          {shown.length === 0 &&
            (templates.data.length === 0
              ? t('No templates yet. Create one to reuse a reply.')
              : t('No matching templates'))}
        </p>
      )}
      {templates.data?.length === 0 && (
        <div className="px-3 pb-3">
          <Button
            // Keeps the focus in the text field: losing it would close the list before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => runCommand('templates')}
            icon={<Plus />}
          >
            {t('Create Template')}
          </Button>
        </div>
      )}
      {shown.length > 0 && (
        <>
          <div
            ref={list}
            id={PICKER_ID}
            role="listbox"
            aria-label={t('Templates')}
            className="max-h-[min(320px,40dvh)] overflow-y-auto p-1"
          >
            {shown.map((template) => (
              <Option
                key={template.id}
                template={template}
                isActive={template === active}
                onPoint={() => setMoved({ query, index: shown.indexOf(template) })}
                onChoose={() => onChoose(template)}
              />
            ))}
          </div>
          <p className="flex items-center gap-3 border-t border-line bg-surface-2 px-3 py-1.5 text-meta text-fg-3 coarse:hidden">
            <span className="inline-flex items-center gap-1.5">
              {rich('{keys} choose', {
                keys: (
                  <>
                    <Kbd>↑</Kbd>
                    <Kbd>↓</Kbd>
                  </>
                ),
              })}
            </span>
            <span className="inline-flex items-center gap-1.5">
              {rich('{key} insert', { key: <Kbd>↵</Kbd> })}
            </span>
            <span className="inline-flex items-center gap-1.5">
              {rich('{key} keep “/”', { key: <Kbd>{t('Esc')}</Kbd> })}
            </span>
          </p>
        </>
      )}
    </div>
  );
}

interface OptionProps {
  template: Template;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ template, isActive, onPoint, onChoose }: OptionProps) {
  const { name, content, folder, product, attachments, is_shared } = template;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
    <div
      id={optionId(template)}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classes(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-chip px-2.5 py-1 coarse:min-h-11',
        isActive && 'bg-selected',
      )}
    >
      <span className="max-w-[45%] shrink-0 truncate font-medium">{name}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-fg-2">
        {content}
      </span>
      {folder !== '' && <span className="shrink-0 text-meta text-fg-3">{folder}</span>}
      {!is_shared && <Badge>{t('Only me')}</Badge>}
      {attachments.length > 0 && <Badge>{fileCount(attachments.length)}</Badge>}
      {product && <Badge tone="info">{formatPrice(product.price)}</Badge>}
    </div>
  );
}
