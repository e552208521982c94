import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import type { FanHome } from '@stagedoor/contract/platform/fan-app';
import { COPY } from '../../lib/session.ts';
import { isFramed, stored, storedJson } from '../../lib/stored.ts';
import { textOnly } from './message-text.ts';

/** The number of messages to store. */
const KEPT_MESSAGES = 40;

/** The stored copy of a conversation for offline use: texts only, until the session ends. */
export interface KeptCopy {
  home: FanHome;
  messages: FanVisibleMessage[];
}

export function keepCopy(home: FanHome, messages: readonly FanVisibleMessage[]): void {
  if (isFramed) return;
  const texts = messages.slice(-KEPT_MESSAGES).map(textOnly);
  stored.set(COPY, JSON.stringify({ home, messages: texts } satisfies KeptCopy));
}

export function keptCopy(): KeptCopy | null {
  return storedJson<KeptCopy>(COPY);
}
