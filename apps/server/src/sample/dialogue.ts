import { CITIES, type Exchange, type Language, PHRASES, REPLIES, SONGS } from './phrases.ts';
import type { Random } from './random.ts';

/** A line of a conversation, before anyone has said it. */
export interface Line {
  readonly fromFan: boolean;
  readonly text: string;
  /** How many lines back is the one that it quotes; 0: it quotes none. */
  readonly quotes: number;
  /** Whether it begins another subject: time has passed since the line before. */
  readonly opens: boolean;
}

interface Fan {
  readonly firstName: string | null;
  readonly language: Language;
}

/** What a fan may write out of the blue. */
export const opener = (fan: Fan, random: Random): string =>
  fill(random.pick(random.pick(exchangesOf(fan)).asks), fan, random);

/** What a fan may say to an answer, whatever it was. */
export const reply = (fan: Fan, random: Random): string => random.pick(REPLIES[fan.language]);

/**
 * The lines of a conversation: questions, answers, thanks.
 * @param length exactly so many
 * @param unanswered so many of the fan's at the end have no answer
 */
export function dialogue(fan: Fan, length: number, unanswered: number, random: Random): Line[] {
  const lines: Line[] = [];
  let earlier: Exchange | null = null;
  while (lines.length < length - unanswered) {
    const exchange: Exchange = pickOther(exchangesOf(fan), earlier, random);
    earlier = exchange;
    lines.push(...exchangeLines(exchange, fan, random));
  }
  // Cut so that it ends as it must: with an answer where nobody waits, with the fan's lines where someone does.
  lines.length = length - unanswered;
  const last = lines.at(-1);
  if (last?.fromFan) {
    const answer = random.pick(random.pick(exchangesOf(fan)).answers);
    lines[lines.length - 1] = {
      ...last,
      fromFan: false,
      text: fill(answer, fan, random),
      quotes: 0,
    };
  }
  for (let index = 0; index < unanswered; index++) {
    lines.push({ fromFan: true, text: opener(fan, random), quotes: 0, opens: index === 0 });
  }
  return lines;
}

function exchangeLines(exchange: Exchange, fan: Fan, random: Random): Line[] {
  // The n-th answer fits the n-th question, and the n-th thanks to that.
  const topic = Math.floor(random.between(0, exchange.asks.length));
  const said = (list: readonly string[]) => fill(list[topic % list.length] ?? '', fan, random);
  const lines: Line[] = [
    { fromFan: true, text: said(exchange.asks), quotes: 0, opens: true },
    {
      fromFan: false,
      text: said(exchange.answers),
      quotes: random.chance(0.2) ? 1 : 0,
      opens: false,
    },
  ];
  if (random.chance(0.4)) {
    const quotes = random.chance(0.08) ? 1 : 0;
    lines.push({ fromFan: true, text: said(exchange.thanks), quotes, opens: false });
  }
  return lines;
}

const exchangesOf = (fan: Fan): readonly Exchange[] => PHRASES[fan.language];

function pickOther(list: readonly Exchange[], not: Exchange | null, random: Random): Exchange {
  const others = list.filter((exchange) => exchange !== not);
  return random.pick(others.length > 0 ? others : list);
}

function fill(text: string, fan: Fan, random: Random): string {
  return (
    text
      .replaceAll('{song}', () => random.pick(SONGS))
      .replaceAll('{city}', () => random.pick(CITIES))
      // Whose name nobody knows is addressed without one, along with the space or comma before it.
      .replaceAll(/([,،]?\s)?\{name\}/gu, (_match, before: string | undefined) =>
        fan.firstName === null ? '' : `${before ?? ''}${fan.firstName}`,
      )
  );
}
