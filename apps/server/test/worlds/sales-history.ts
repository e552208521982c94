/** A message as its sender saw it. */
export interface HistoryMessage {
  readonly id: string;
  /** Null: the fan. */
  readonly adminId: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** The products it offers. */
  readonly productIds: readonly string[];
}

export interface HistorySale {
  readonly message: HistoryMessage;
  readonly productId: string;
  readonly at: number;
  readonly cents: number;
  refunded: boolean;
}

/** All messages in the order of sending and all sales; recorded by a test, independently of the server. */
export interface History {
  readonly conversations: readonly { readonly messages: HistoryMessage[] }[];
  readonly sales: HistorySale[];
}

/** Milliseconds since the epoch: `start` included, `end` excluded. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

interface Sums {
  messages: number;
  sends: number;
  purchases: number;
  cents: number;
  /** Seconds, shortest first. */
  waits: number[];
}

/** Computes the totals of a period in the simplest way: by scanning the whole history for each figure. */
export function recount(history: History, period: Period, timeZone: string) {
  const within = (at: number) => at >= period.start && at < period.end;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const dateOf = (at: number) => format.format(at);
  const answers = history.conversations.flatMap(({ messages }) =>
    messages.flatMap((message, index) =>
      message.adminId === null
        ? []
        : [
            {
              ...message,
              adminId: message.adminId,
              date: dateOf(message.at),
              wait: waitBefore(messages, index),
            },
          ],
    ),
  );
  const sales = history.sales.map((sale) => ({ ...sale, date: dateOf(sale.at) }));
  const sumOf = (matches: { admin?: string; product?: string; date?: string }): Sums => {
    const { admin, product, date } = matches;
    const sent = answers.filter(
      (answer) =>
        within(answer.at) &&
        (admin === undefined || answer.adminId === admin) &&
        (date === undefined || answer.date === date),
    );
    const sold = sales.filter(
      ({ at, refunded, message, productId, ...sale }) =>
        within(at) &&
        !refunded &&
        (admin === undefined || message.adminId === admin) &&
        (product === undefined || productId === product) &&
        (date === undefined || sale.date === date),
    );
    return {
      messages: sent.length,
      sends: sent
        .flatMap(({ productIds }) => productIds)
        .filter((id) => product === undefined || id === product).length,
      purchases: sold.length,
      cents: sold.reduce((sum, { cents }) => sum + cents, 0),
      waits: sent.flatMap(({ wait }) => (wait === null ? [] : [wait])).toSorted((a, b) => a - b),
    };
  };
  const dates: string[] = [];
  const last = dateOf(period.end - 1);
  for (let date = dateOf(period.start); date <= last; date = dayAfter(date)) dates.push(date);
  return {
    total: sumOf({}),
    ofAdmin: (admin: string) => sumOf({ admin }),
    ofProduct: (product: string) => sumOf({ product }),
    days: dates.map((date) => ({ date, ...sumOf({ date }) })),
  };
}

/** Returns how long the fan waited for this reply, in seconds; null if the previous message is not from the fan. */
function waitBefore(messages: readonly HistoryMessage[], index: number): number | null {
  let first = index;
  while (messages[first - 1]?.adminId === null) first--;
  const [waiting, answer] = [messages[first], messages[index]];
  return first === index || !waiting || !answer ? null : (answer.at - waiting.at) / 1_000;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Returns the time of the first counted message or sale, or null. */
export function firstOf({ conversations, sales }: History): number | null {
  const times = [
    ...conversations.flatMap(({ messages }) =>
      messages.filter(({ adminId }) => adminId !== null).map(({ at }) => at),
    ),
    ...sales.filter(({ refunded }) => !refunded).map(({ at }) => at),
  ];
  return times.length === 0 ? null : Math.min(...times);
}
