import type { Conversation } from '@stagedoor/contract/conversations';
import { ArrowLeft, Moon } from 'lucide-react';
import type { ReactNode } from 'react';
import { displayName } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { fanTime } from './fan-time.ts';
import { useMinute } from './use-now.ts';

function FanClock({ timeZone }: { timeZone: string }) {
  const time = fanTime(timeZone, useMinute());
  if (!time) return null;
  return (
    <span className="flex shrink-0 items-center gap-1 tabular-nums">
      ≈ {time.clock} in {time.place}
      {time.isNight && <Moon aria-label="Night there" role="img" size={12} strokeWidth={1.75} />}
    </span>
  );
}

interface ConversationHeaderProps {
  conversation: Conversation;
  onBack: (() => void) | undefined;
  /** What can be done with it. */
  actions?: ReactNode;
}

function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <IconButton label="Back to the inbox" onClick={onBack} className="md:hidden">
      <ArrowLeft aria-hidden="true" size={16} strokeWidth={1.75} />
    </IconButton>
  );
}

/** The way back where it is not known yet who the fan is. */
export function BackBar({ onBack }: { onBack: () => void }) {
  return (
    <header className="flex h-14 shrink-0 items-center border-b border-line bg-surface px-2 md:hidden">
      <BackButton onBack={onBack} />
    </header>
  );
}

/** Who the fan is, what time it is there, and what can be done. */
export function ConversationHeader({
  conversation: { fan },
  onBack,
  actions,
}: ConversationHeaderProps) {
  const name = displayName(fan);
  return (
    <header className="@container flex h-14 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-md:gap-2 max-md:px-2">
      {onBack && <BackButton onBack={onBack} />}
      <Avatar name={name} url={fan.avatar_url} size="medium" />
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-base font-semibold">{name}</h2>
        <p className="flex min-w-0 items-center gap-1.5 text-meta text-fg-3">
          {fan.username && <span className="truncate">@{fan.username}</span>}
          {fan.username && fan.timezone && <span aria-hidden="true">·</span>}
          {fan.timezone && <FanClock timeZone={fan.timezone} />}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-0.5">{actions}</div>
    </header>
  );
}
