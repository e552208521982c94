import { distinctAddresses, isEmailAddress } from '@stagedoor/contract/email-address';
import { t } from '../../lib/text/i18n.ts';

/** A line that can't be invited. */
export interface LineProblem {
  /** Starts at 1. */
  readonly line: number;
  readonly text: string;
}

/** The addresses and problems of a text with one address per line. */
export interface InviteLines {
  /** The unique addresses to send, invalid ones included, because the server answers for each. */
  readonly addresses: readonly string[];
  readonly problems: readonly LineProblem[];
}

/**
 * Parses the text of the invite form.
 * @param isTyping omits problems of the last line, which is still being typed
 */
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
