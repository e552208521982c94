import { distinctAddresses, isEmailAddress } from '@stagedoor/contract/email-address';
import { t } from '../../lib/text/i18n.ts';

/** A line that would not become an invitation. */
export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What a text with one address a line holds. */
export interface InviteLines {
  /** What is sent: each once, the wrong ones too, as the server answers for every address. */
  readonly addresses: readonly string[];
  readonly problems: readonly LineProblem[];
}

/** @param isTyping leaves the last line in peace, which is not finished yet */
export function readInviteLines(text: string, isTyping = false): InviteLines {
  const lines = text.split('\n').map((line) => line.trim().toLowerCase());
  const firstAt = new Map<string, number>();
  const problems = lines.flatMap((address, index): LineProblem[] => {
    if (address === '' || (isTyping && index === lines.length - 1)) return [];
    const before = firstAt.get(address);
    if (before !== undefined)
      return [{ line: index + 1, text: t('Same as line {line}', { line: before }) }];
    firstAt.set(address, index + 1);
    return isEmailAddress(address)
      ? []
      : [{ line: index + 1, text: t('Not a valid email address') }];
  });
  return { addresses: distinctAddresses(lines), problems };
}
