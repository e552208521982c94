import { Bookmark } from 'lucide-react';
import { beginSelecting } from '../../inbox/queue/selection.ts';
import { type ViewState, ViewsMenu } from '../../inbox/views/views-menu.tsx';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';

interface ViewsControlProps {
  state: ViewState;
  onChoose: (view: ViewState) => void;
}

/** The admin's saved views. Its menu also starts row selection, for devices without hover. */
export function ViewsControl({ state, onChoose }: ViewsControlProps) {
  const { permissions } = useAdmin();
  return (
    <Popover
      label={t('Views')}
      trigger={
        <IconButton label={t('Views')} className="coarse:size-11">
          <Bookmark aria-hidden="true" size={16} strokeWidth={1.75} />
        </IconButton>
      }
    >
      <ViewsMenu
        state={state}
        onChoose={onChoose}
        onSelect={permissions.can_manage_messages ? beginSelecting : null}
      />
    </Popover>
  );
}
