import { distinctAddresses, isEmailAddress } from '@stagedoor/contract/email-address';
import { t } from '../../lib/text/i18n.ts';

/** An address that can't be invited, and its line. */
export interface LineProblem {
  /** Starts at 1. */
  readonly line: number;
  readonly address: string;
  readonly text: string;
}

/** The characters that separate addresses within a line. */
const SEPARATORS = /[\s,;]+/;

/** The addresses in a text, and the problems with them. */
export interface InviteLines {
  /** The unique addresses to send, invalid ones included, because the server answers for each. */
  readonly addresses: readonly string[];
  readonly problems: readonly LineProblem[];
}

/**
 * Parses the text of the invite form.
 * @param isTyping omits problems of the last address, which is still being typed
 */
export function readInviteLines(text: string, isTyping = false): InviteLines {
  const entries = text
    .toLowerCase()
    .split('\n')
    .flatMap((line, index) =>
      line.split(SEPARATORS).flatMap((address) => (address ? { address, line: index + 1 } : [])),
    );
  const typed = isTyping && !SEPARATORS.test(text.slice(-1)) ? entries.at(-1) : undefined;
  const firstAt = new Map<string, number>();
  const problems = entries.flatMap((entry): LineProblem[] => {
    const { address, line } = entry;
    if (entry === typed) return [];
    const before = firstAt.get(address);
    if (before !== undefined)
      return [{ ...entry, text: t('Same as line {line}', { line: before }) }];
    firstAt.set(address, line);
    return isEmailAddress(address) ? [] : [{ ...entry, text: t('Not a valid email address') }];
  });
  return { addresses: distinctAddresses(entries.map(({ address }) => address)), problems };
}
