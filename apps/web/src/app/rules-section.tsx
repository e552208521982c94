import { GuardRailsCard } from '../messaging/guard-rails/guard-rails-card.tsx';
import { EarningRulesCard } from '../team/settings/earning-rules-card.tsx';
import { MassMessageRulesCard } from '../team/settings/mass-message-rules-card.tsx';
import { ShiftRulesCard } from '../team/settings/shift-rules-card.tsx';
import { TeamRulesCard } from '../team/settings/team-rules-card.tsx';

/** The rules for the team's conversations, shifts and earnings, and for what messages may contain. */
export function RulesSection() {
  return (
    <div className="flex flex-col gap-4 lg:gap-6">
      <TeamRulesCard />
      <ShiftRulesCard />
      <EarningRulesCard />
      <MassMessageRulesCard />
      <GuardRailsCard />
    </div>
  );
}
