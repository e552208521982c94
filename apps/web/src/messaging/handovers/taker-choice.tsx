import { useQuery } from '@tanstack/react-query';
import { Unlock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Dot } from '../../ui/dot.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { teammatesOptions } from '../staff-notes/queries.ts';

interface TakerChoiceProps {
  /** An admin's id; null to release the claims; undefined while nothing is chosen. */
  chosen: string | null | undefined;
  onChoose: (to: string | null) => void;
}

/** Chooses who takes over: a teammate with the message privilege, or nobody. */
export function TakerChoice({ chosen, onChoose }: TakerChoiceProps) {
  const { id: myId } = useAdmin();
  const { data, isError, isFetching, refetch } = useQuery(teammatesOptions);
  const takers = data?.filter(({ id, can_manage_messages: may }) => may && id !== myId) ?? [];
  return (
    <fieldset>
      <legend className="mb-1 text-meta font-medium text-fg-2">{t('Hand over to')}</legend>
      {isError && (
        <div className="mb-2">
          <ErrorBox
            text={t('Couldn’t load teammates')}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      <div className="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto p-0.5">
        {takers.map(({ id, codename, display_color: color }) => (
          <Choice key={id} isChosen={chosen === id} onChoose={() => onChoose(id)}>
            <Dot color={color} />
            {codename}
          </Choice>
        ))}
        <Choice isChosen={chosen === null} onChoose={() => onChoose(null)}>
          <Unlock size={13} />
          {t('Release All')}
        </Choice>
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="relative inline-flex h-8 cursor-pointer items-center gap-2 rounded-control border border-line px-2.5 text-control transition-colors duration-80 select-none hover:bg-hover has-checked:border-accent has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-accent-text coarse:h-11">
      <input
        type="radio"
        name="taker"
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
      />
      {children}
    </label>
  );
}
