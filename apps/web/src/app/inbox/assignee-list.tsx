import { useQuery } from '@tanstack/react-query';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { teammatesOptions } from '../../messaging/staff-notes/queries.ts';
import { Dot } from '../../ui/dot.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface AssigneeListProps {
  onChoose: (adminId: string, codename: string) => void;
}

/** The staff to whom conversations can be assigned. Choosing one closes the popover around the list. */
export function AssigneeList({ onChoose }: AssigneeListProps) {
  const { id: myId } = useAdmin();
  const { data, isError, isFetching, refetch } = useQuery(teammatesOptions);
  if (isError)
    return (
      <ErrorBox
        text={t('Couldn’t load teammates')}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Spinner />;
  return (
    <ul aria-label={t('Assign to')} className="max-h-72 overflow-y-auto">
      {data
        .filter(({ can_manage_messages }) => can_manage_messages)
        .map(({ id, codename, display_color }) => (
          <li key={id}>
            <button
              type="button"
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                onChoose(id, codename);
              }}
              className="flex min-h-8 w-full items-center gap-2.5 rounded-chip px-2 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
            >
              <Dot color={display_color} />
              {id === myId ? t('{name} (you)', { name: codename }) : codename}
            </button>
          </li>
        ))}
    </ul>
  );
}
