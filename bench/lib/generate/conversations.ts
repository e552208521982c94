import type { Filling } from './copy-rows.ts';
import { draw, KIND, pick, SALT, uuidOf } from './numbers.ts';
import { iso } from './people.ts';
import type { Plan } from './plan.ts';

/** Length of the preview in the inbox, in characters. */
const PREVIEW_CHARS = 300;

interface Holders {
  readonly creatorId: string;
  /** The first admin claims `mine` conversations, spread evenly. The other admins share one in twenty of the rest. */
  readonly admins: readonly string[];
  readonly mine: number;
}

/** Generates the conversations. @param ends the text of each conversation's last message */
export function conversations(
  plan: Plan,
  { creatorId, admins: [me, ...others], mine }: Holders,
  ends: readonly string[],
): Filling {
  const step = Math.max(1, Math.floor(plan.conversations / mine));
  const holder = (i: number): string | null => {
    if ((i + 1) % step === 0 && (i + 1) / step <= mine) return me ?? null;
    if (draw(SALT.claim, i) >= 0.05) return null;
    return others[pick(SALT.author, -i, others.length)] ?? null;
  };
  return {
    table: 'conversations',
    columns:
      'id fan_id creator_id status claimed_by unread_count last_seq version first_message_at last_message_at last_message_content waiting_since answered_since fan_wrote_at creator_wrote_at created_at',
    expected: plan.conversations,
    *rows() {
      for (let i = 0; i < plan.conversations; i++) {
        const [first, next] = [plan.start[i] ?? 0, plan.start[i + 1] ?? 0];
        const answered = next - (plan.unanswered[i] ?? 0);
        const at = (number: number) => iso(plan.at[number] ?? 0);
        const drawn = draw(SALT.status, i);
        const size = next - first;
        yield [
          uuidOf(KIND.conversation, i),
          uuidOf(KIND.fan, i),
          creatorId,
          drawn < 0.03 ? 'archived' : drawn < 0.05 ? 'flagged' : 'active',
          holder(i),
          plan.unread[i] ?? 0,
          size,
          size + 1,
          at(first),
          at(next - 1),
          ends[i]?.slice(0, PREVIEW_CHARS) ?? null,
          answered < next ? at(answered) : 'infinity',
          // The fan message that the last answer replied to; none if staff wrote first.
          answered - 2 >= first ? at(answered - 2) : null,
          answered < next ? at(next - 1) : answered - 2 >= first ? at(answered - 2) : 'epoch',
          answered - 1 >= first ? at(answered - 1) : 'epoch',
          at(first),
        ];
      }
    },
  };
}
