import { linkedText } from '@stagedoor/browser/linked-text';
import { mentionParts } from '@stagedoor/contract/messaging/mention-text';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { writtenName } from './mention-writing.ts';

const LINK =
  'text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current';

interface MentionTextProps {
  content: string;
  people: readonly StaffMember[];
  myId: string;
  hasLinks?: boolean;
}

/** A text with the current names of the staff members it mentions. */
export function MentionText({ content, people, myId, hasLinks = false }: MentionTextProps) {
  return mentionParts(content).map((part, index) => {
    const person = 'adminId' in part ? people.find(({ id }) => id === part.adminId) : undefined;
    if ('text' in part) return hasLinks ? linkedText(part.text, LINK) : part.text;
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
        key={index}
        className={classes(
          'font-semibold',
          part.adminId === myId ? 'rounded-[4px] bg-accent px-1 text-white' : 'text-accent-text',
        )}
      >
        {person ? writtenName(person) : t('@unknown')}
      </span>
    );
  });
}
