import { uuid } from '@stagedoor/browser/uuid';
import {
  FAN_TAGS_MAX,
  type FanTag,
  type FanTagInput,
  TAG_LABEL_MAX_CHARS,
} from '@stagedoor/contract/fans/fans';
import { DEFAULT_TAG_COLOR } from '@stagedoor/contract/fans/tags';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { TagForm } from '../../ui/form/tag-form.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useSave } from '../../ui/overlay/use-save.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { customTag, fromLibrary, tagInputs, tagsToAdd } from './choice.ts';
import { globalTagsOptions } from './queries.ts';
import { SortableTags } from './sortable-tags.tsx';

const GLOBAL_TAB = t('Add from Global');
const TABS = [GLOBAL_TAB, t('Create Custom')];

interface ManageTagsProps {
  conversation: Conversation;
  /** Saves the whole list and shows the stored one. */
  save: (tags: FanTagInput[]) => Promise<void>;
  onClose: () => void;
}

/** The dialog to add, create, order and remove a fan's tags. */
export function ManageTags({ conversation, save, onClose }: ManageTagsProps) {
  const { fan } = conversation;
  const problem = t('Failed to update tags');
  const { root, saving, change, pending } = useSave<FanTag[]>({
    key: ['tags', conversation.id],
    save: (wanted) => save(tagInputs(wanted)),
    textOf: () => t('{name}: {problem}', { name: displayName(fan), problem }),
  });
  // Shows the new choice while it is being saved, and after a failed save.
  const tags = pending ?? (saving.isError ? saving.variables : fan.admin_tags);
  const [tab, setTab] = useState(GLOBAL_TAB);
  const [made, setMade] = useState(0);
  const isFull = tags.length >= FAN_TAGS_MAX;
  const add = (label: string, color: string) => {
    setMade(made + 1);
    change([...tags, customTag(label, color, uuid())]);
  };
  return (
    <Dialog
      title={t('Manage Tags')}
      subtitle={displayName(fan)}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <div ref={root} className="flex flex-col gap-4">
        {saving.isError && <ErrorBox text={problem} onRetry={() => change(saving.variables)} />}
        {tags.length > 0 ? (
          <SortableTags tags={tags} onChange={change} />
        ) : (
          <p className="rounded-control bg-surface-2 px-3 py-2.5 text-control text-fg-3">
            {t('No tags on this fan yet.')}
          </p>
        )}
        {isFull ? (
          <p className="text-control text-fg-3">
            {t('A fan can have up to {count} tags.', { count: FAN_TAGS_MAX })}
          </p>
        ) : (
          <Tabs label={t('Add tags')} tabs={TABS} current={tab} onChange={setTab}>
            {tab === GLOBAL_TAB ? (
              <GlobalPicker onFan={tags} onAdd={(tag) => change([...tags, tag])} />
            ) : (
              <TagForm
                key={made}
                label=""
                color={DEFAULT_TAG_COLOR}
                maxLength={TAG_LABEL_MAX_CHARS}
                onSubmit={add}
                buttons={(canSubmit) => (
                  <Button variant="primary" type="submit" disabled={!canSubmit}>
                    {t('Add Tag')}
                  </Button>
                )}
              />
            )}
          </Tabs>
        )}
      </div>
    </Dialog>
  );
}

function GlobalPicker({ onFan, onAdd }: { onFan: FanTag[]; onAdd: (tag: FanTag) => void }) {
  const library = useQuery(globalTagsOptions);
  const [text, setText] = useState('');
  const list = useRef<HTMLUListElement>(null);
  if (library.data === undefined) {
    return library.isError ? (
      <ErrorBox text={t('Failed to fetch global tags')} onRetry={() => void library.refetch()} />
    ) : (
      <LoadingLine text={t('Loading tags...')} className="py-2" />
    );
  }
  const found = tagsToAdd(library.data, onFan, text);
  return (
    <div className="flex flex-col gap-2">
      <SearchField
        label={t('Search global tags')}
        placeholder={t('Search tags...')}
        text={text}
        onChange={setText}
        onLeave={() => list.current?.querySelector('button')?.focus()}
        onEnter={() => {
          const [first] = found;
          if (first === undefined) return;
          onAdd(fromLibrary(first));
          setText('');
        }}
      />
      <ul
        ref={list}
        aria-label={t('Global tags')}
        className="-mx-1 max-h-52 overflow-y-auto px-1 py-0.5"
      >
        {found.map((tag) => (
          <li key={tag.id}>
            <button
              type="button"
              aria-label={t('Add {name}', { name: tag.label })}
              onClick={() => onAdd(fromLibrary(tag))}
              className="flex h-9 w-full items-center justify-between rounded-control px-2 text-fg-3 transition-colors duration-80 hover:bg-hover hover:text-fg coarse:h-11"
            >
              <Chip label={tag.label} color={tag.color} />
              <Plus />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="px-1 pb-1 text-control text-fg-3">
          {text.trim() === ''
            ? t('No more global tags to add.')
            : t('No tags match “{text}”.', { text: text.trim() })}
        </p>
      )}
    </div>
  );
}
