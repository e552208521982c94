import { rich } from '@stagedoor/browser/rich-text';
import { findBanned, prepareWords } from '@stagedoor/contract/messaging/banned-words';
import { useQuery } from '@tanstack/react-query';
import { Ban, Braces } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { guardRailsOptions } from '../guard-rails/queries.ts';
import { openVariables } from './template-text.ts';

/** A part of the text that must change before sending, as UTF-16 offsets; `end` is exclusive. */
export interface MarkedPart {
  readonly start: number;
  readonly end: number;
}

/** Finds what blocks a reply: banned words and unfilled variables. */
export function useObjections(text: string) {
  const { data: rails } = useQuery(guardRailsOptions);
  const banned = useMemo(() => prepareWords(rails?.banned_words ?? []), [rails]);
  const bannedParts = useMemo(() => findBanned(text, banned), [text, banned]);
  const variables = useMemo(() => openVariables(text), [text]);
  const words = [...new Set(bannedParts.map(({ word }) => word))];
  const [open] = variables;
  const bars: ReactNode = (
    <>
      {words.length > 0 && (
        <Objection icon={Ban} tone="bad">
          {rich('Not allowed in messages: {words}', {
            words: <strong className="font-semibold">{words.join(', ')}</strong>,
          })}
        </Objection>
      )}
      {open && (
        <Objection icon={Braces} tone="warn">
          {rich('Replace {variable} before you send: this fan has no value for it', {
            variable: <strong className="font-semibold">{`{${open.name}}`}</strong>,
          })}
        </Objection>
      )}
    </>
  );
  return {
    bars,
    marks: bannedParts satisfies readonly MarkedPart[],
    /** The first part to change; null if the reply can be sent. */
    first: (bannedParts[0] ?? open ?? null) satisfies MarkedPart | null,
  };
}

interface ObjectionProps {
  icon: typeof Ban;
  tone: 'bad' | 'warn';
  children: ReactNode;
}

function Objection({ icon: Icon, tone, children }: ObjectionProps) {
  return (
    <p
      role="alert"
      className={`mb-1.5 flex items-center gap-2.5 rounded-control px-2.5 py-1.5 text-control ${
        tone === 'bad' ? 'bg-flagged text-danger-text' : 'bg-warn-bg text-warn'
      }`}
    >
      <Icon />
      <span className="min-w-0 flex-1 wrap-break-word">{children}</span>
    </p>
  );
}
