import { CITIES, type Exchange, type Language, PHRASES, REPLIES, SONGS } from './phrases.ts';
import type { Random } from './random.ts';

/** A line of a generated conversation. */
export interface Line {
  readonly fromFan: boolean;
  readonly text: string;
  /** How many lines back the quoted line is; 0 if the line quotes nothing. */
  readonly quotes: number;
  /** Whether the line starts a new subject, some time after the previous line. */
  readonly opens: boolean;
}

interface Fan {
  readonly firstName: string | null;
  readonly language: Language;
}

/** Returns a first message from a fan. */
export const opener = (fan: Fan, random: Random): string =>
  fill(random.pick(random.pick(exchangesOf(fan)).asks), fan, random);

/** Returns a fan's reply that fits any answer. */
export const reply = (fan: Fan, random: Random): string => random.pick(REPLIES[fan.language]);

/**
 * Generates the lines of a conversation: questions, answers, thanks.
 * @param length the number of lines
 * @param unanswered how many of the fan's lines at the end have no answer
 */
export function dialogue(fan: Fan, length: number, unanswered: number, random: Random): Line[] {
  const lines: Line[] = [];
  let earlier: Exchange | null = null;
  while (lines.length < length - unanswered) {
    const exchange: Exchange = pickOther(exchangesOf(fan), earlier, random);
    earlier = exchange;
    lines.push(...exchangeLines(exchange, fan, random));
  }
  // If the cut leaves a fan's line at the end, an answer replaces that line. The unanswered lines follow, if any.
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
  // The n-th answer fits the n-th question, and the n-th thanks fits both.
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
      // If the fan's name is unknown, `{name}` is dropped with the space, and any comma, before it.
      .replaceAll(/([,،]?\s)?\{name\}/gu, (_match, before: string | undefined) =>
        fan.firstName === null ? '' : `${before ?? ''}${fan.firstName}`,
      )
  );
}
