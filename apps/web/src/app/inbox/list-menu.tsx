import { lazyPart } from '@stagedoor/browser/lazy-part';
import {
  BookmarkPlus,
  ChevronDown,
  SlidersHorizontal,
  SquareCheck,
  Tag,
  UsersRound,
} from 'lucide-react';
import { type ComponentProps, Suspense, useState } from 'react';
import { useChangeInbox } from '../../inbox/list/inbox-state.tsx';
import { SortChoice } from '../../inbox/list/sort-choice.tsx';
import { beginSelecting, useSelection } from '../../inbox/queue/selection.ts';
import { SaveForm } from '../../inbox/views/saved-views.tsx';
import { useCommands } from '../../lib/commands.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { PanelButton } from '../../ui/overlay/panel-button.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const TagFilterList = lazyPart(
  async () => (await import('../../fans/tags/tag-filter.tsx')).TagFilterList,
);
const SegmentChoice = lazyPart(
  async () => (await import('../../selling/segments/segment-choice.tsx')).SegmentChoice,
);

/** The menu for the list: its order, its filters, saving it as a view, and selecting rows. */
export function ListMenu() {
  const { can_manage_messages: canWrite } = useAdmin().permissions;
  const { isOn } = useSelection();
  const canSelect = canWrite && !isOn;
  const change = useChangeInbox();
  const select = t('Select Conversations');
  useCommands([
    {
      id: 'select',
      title: select,
      section: t('Inbox'),
      run: beginSelecting,
      enabled: canSelect,
    },
  ]);
  return (
    <Popover
      label={t('Filters')}
      trigger={
        <Button
          title={t('Filters')}
          className="w-full px-0! text-fg-2! aria-expanded:bg-hover"
          icon={<SlidersHorizontal size={14} />}
        >
          <span className="@max-[340px]:sr-only">{t('Filters')}</span>
        </Button>
      }
    >
      <SortChoice />
      <Fold icon={Tag} label={t('Filter by Tag')}>
        <TagFilterList onChoose={(tag) => change({ tag })} />
      </Fold>
      <Fold icon={UsersRound} label={t('Filter by Segment')}>
        <SegmentChoice onChoose={(segment) => change({ segment })} />
      </Fold>
      <Fold icon={BookmarkPlus} label={t('Save View')}>
        <SaveForm />
      </Fold>
      {canSelect && (
        <PanelButton
          icon={SquareCheck}
          label={select}
          onClick={({ currentTarget }) => {
            currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            beginSelecting();
          }}
        />
      )}
    </Popover>
  );
}

/** A row that expands to show its children. */
function Fold({ children, ...row }: ComponentProps<typeof PanelButton>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PanelButton {...row} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronDown size={14} className={`ms-auto text-fg-3 ${isOpen ? 'rotate-180' : ''}`} />
      </PanelButton>
      {isOpen && (
        <div className="ps-6">
          <Suspense fallback={<Spinner />}>{children}</Suspense>
        </div>
      )}
    </>
  );
}
