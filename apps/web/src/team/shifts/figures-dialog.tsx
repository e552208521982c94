import type { StaffMember } from '@stagedoor/contract/team/staff';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { lengthText } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { FigureMessages } from './figure-messages.tsx';
import { type ShownFigure, shownFigures } from './figure-words.ts';
import { type FiguresQuery, figuresOptions } from './queries.ts';

interface FiguresDialogProps {
  admin: StaffMember;
  /** The period in words. */
  subtitle: string;
  from: string;
  to: string;
  onClose: () => void;
}

/** An admin's figures for a period. Each leads to the messages behind it. */
export function FiguresDialog({ admin, subtitle, from, to, onClose }: FiguresDialogProps) {
  const query: FiguresQuery = { from, to, admin_id: admin.id };
  const [opened, setOpened] = useState<ShownFigure | null>(null);
  const found = useQuery(figuresOptions(query));
  const figures = found.data?.data[0]?.figures;
  return (
    <Dialog
      title={
        opened === null
          ? t('{name}’s Figures', { name: admin.codename })
          : t('{figure} of {name}', { figure: opened.label, name: admin.codename })
      }
      subtitle={subtitle}
      isWide
      onClose={onClose}
    >
      {found.isPending && <LoadingLine text={t('Loading figures...')} />}
      {found.isError && <QueryError query={found} text={t('Couldn’t load the figures')} />}
      {figures && opened === null && (
        <>
          <ul
            aria-label={t('Figures')}
            className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,168px),1fr))] gap-2"
          >
            {shownFigures(figures).map((figure) => (
              <li key={figure.label} className="flex">
                <button
                  type="button"
                  onClick={() => setOpened(figure)}
                  className="flex min-h-16 w-full min-w-0 flex-col items-start gap-0.5 rounded-card border border-line px-3 py-2 text-start transition-colors duration-80 hover:bg-hover"
                >
                  <span className="text-meta text-fg-3">{figure.label}</span>
                  <span className="text-title font-semibold tabular-nums">
                    {figure.value ?? '–'}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-control text-fg-3">
            {t('{time} on the clock. Choose a figure to see its messages.', {
              time: lengthText(figures.clocked_seconds),
            })}
          </p>
        </>
      )}
      {opened !== null && (
        <>
          <Button
            size="small"
            icon={<ArrowLeft className="rtl:-scale-x-100" />}
            onClick={() => setOpened(null)}
          >
            {t('All Figures')}
          </Button>
          <FigureMessages query={{ ...query, figure: opened.madeOf }} onOpen={onClose} />
        </>
      )}
    </Dialog>
  );
}
