import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { FanClock } from './fan-clock.tsx';

interface ConversationHeaderProps {
  conversation: Conversation;
  onBack: (() => void) | undefined;
  /** The fan's subscription. */
  note: ReactNode;
  /** Key facts about the fan, next to the name. */
  glance?: ReactNode;
  /** The conversation's action buttons. */
  actions?: ReactNode;
}

function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <IconButton label={t('Back to Inbox')} onClick={onBack} className="md:hidden">
      <ArrowLeft aria-hidden="true" size={16} strokeWidth={1.75} className="rtl:-scale-x-100" />
    </IconButton>
  );
}

/** The header with only a back button, while the fan is not loaded. */
export function BackBar({ onBack }: { onBack: () => void }) {
  return (
    <header className="flex h-12 shrink-0 items-center border-b border-line bg-surface px-2 md:hidden">
      <BackButton onBack={onBack} />
    </header>
  );
}

/** The header: the fan's name, subscription and local time, and the conversation's actions. */
export function ConversationHeader({
  conversation: { fan },
  onBack,
  note,
  glance,
  actions,
}: ConversationHeaderProps) {
  const name = displayName(fan);
  const dot = <span aria-hidden="true">·</span>;
  return (
    <header className="@container flex h-14 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-md:h-12 max-md:gap-2 max-md:px-2">
      {onBack && <BackButton onBack={onBack} />}
      <Avatar name={name} url={fan.avatar_url} size="medium" />
      <div className="@container min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          <h2 dir="auto" className="min-w-0 truncate text-base font-semibold">
            {name}
          </h2>
          {glance}
        </div>
        <p className="flex items-center gap-1.5 overflow-hidden text-meta text-fg-3">
          {note}
          {fan.username && (
            <span
              className={classes('flex min-w-0 gap-1.5', note !== null && '@max-[420px]:hidden')}
            >
              {note !== null && dot}
              <span dir="ltr" className="truncate">
                @{fan.username}
              </span>
            </span>
          )}
          {fan.timezone && (
            <span
              className={classes('flex shrink-0 gap-1.5', note !== null && '@max-[165px]:hidden')}
            >
              {(note !== null || fan.username) && dot}
              <FanClock timeZone={fan.timezone} isBrief={note !== null} />
            </span>
          )}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-0.5">{actions}</div>
    </header>
  );
}
