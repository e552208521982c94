import { DAY_MS } from '../lib/generate/people.ts';
import { type Percentiles, percentiles } from '../lib/statistics.ts';

/** The first calls warm up caches and prepared statements. */
const WARM_UP = 3;

/** A request: a POST if it has a body, otherwise a GET. */
interface Call {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
}

export interface Measured extends Percentiles, Pick<Call, 'name'> {
  readonly max: number;
  /** CPU time of the server and its database per call. Milliseconds. */
  readonly cpu: number;
}

/** Returns the calls of the earnings and shifts screens, and the slowest other calls. @param people session tokens */
export async function callsOf(
  address: string,
  people: { readonly manager: string; readonly seller: string },
): Promise<Call[]> {
  const { manager, seller } = people;
  const get = async <T>(path: string, token: string) =>
    (await request(address, { name: path, path, token })) as T;
  const { id } = (await get<{ data: { id: string } }>('/api/auth/admin/me', seller)).data;
  const earnings = '/api/earnings';
  const own = `${earnings}?admin_id=${id}`;
  const first = await get<{ data: { id: string }[]; next_cursor: string }>(own, seller);
  const { data: periods } = await get<{ data: { id: string; closed_at: string | null }[] }>(
    `${earnings}/periods`,
    manager,
  );
  const closed = periods.find(({ closed_at }) => closed_at !== null)?.id;
  const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const daysAgo = (days: number) => new Date(+today - days * DAY_MS).toISOString();
  const week = `from=${daysAgo(5)}&to=${daysAgo(-4)}`;
  const sixty = `from=${daysAgo(59)}&to=${daysAgo(-1)}`;
  const figures = '/api/shifts/figures';
  const tried = { role: 'support', percentage: 30, hourly_rate: 5, period_id: closed };
  return [
    { name: 'My Earnings: today', path: `${own}&from=${today.toISOString()}`, token: seller },
    { name: 'My Earnings: lines and why', path: own, token: seller },
    { name: 'My Earnings: more lines', path: `${own}&cursor=${first.next_cursor}`, token: seller },
    { name: 'My Earnings: periods', path: `${earnings}/periods`, token: seller },
    { name: 'My Earnings: contests', path: `${earnings}/contests`, token: seller },
    {
      name: 'My Earnings: pay slip',
      path: `${earnings}/periods/${closed}/export?admin_id=${id}`,
      token: seller,
    },
    { name: 'Team Earnings: periods', path: `${earnings}/periods`, token: manager },
    { name: 'Team Earnings: contests', path: `${earnings}/contests`, token: manager },
    { name: 'Team Earnings: rules', path: `${earnings}/rules`, token: manager },
    {
      name: 'Team Earnings: undecided',
      path: `${earnings}?from=${daysAgo(1)}&limit=1`,
      token: manager,
    },
    {
      name: 'Team Earnings: pay slips of all',
      path: `${earnings}/periods/${closed}/export`,
      token: manager,
    },
    {
      name: 'What if: of a role',
      path: `${earnings}/what-if`,
      token: manager,
      body: tried,
    },
    {
      name: 'What if: shared by the shift',
      path: `${earnings}/what-if`,
      token: manager,
      body: { ...tried, credit: 'shift' },
    },
    { name: 'Shifts: week', path: `/api/shifts?${week}`, token: manager },
    { name: 'Shifts: my week', path: `/api/shifts?${week}`, token: seller },
    { name: 'Shifts: now', path: '/api/shifts/now', token: seller },
    { name: 'Figures: all, a week', path: `${figures}?${week}`, token: manager },
    { name: 'Figures: own, 60 days', path: `${figures}?${sixty}`, token: seller },
    ...['sales', 'unlocked', 'replies', 'fans_answered'].map((figure) => ({
      name: `Figures: messages of ${figure}`,
      path: `${figures}/messages?${sixty}&figure=${figure}`,
      token: seller,
    })),
    { name: 'API: all lines', path: earnings, token: manager },
    {
      name: 'API: figures of all, 60 days',

      path: `${figures}?${sixty}`,
      token: manager,
    },
  ];
}

/** Measures the calls one after the other. @param cpu returns the CPU seconds used so far by the server and its database */
export async function measureCalls(
  address: string,
  calls: readonly Call[],
  rounds: number,
  cpu: () => Promise<number>,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const call of calls) {
    for (let round = 0; round < WARM_UP; round++) await request(address, call);
    const times: number[] = [];
    const before = await cpu();
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      await request(address, call);
      times.push(performance.now() - started);
    }
    const used = ((await cpu()) - before) * 1_000;
    measured.push({
      name: call.name,
      ...percentiles(times),
      max: Math.max(...times),
      cpu: used / rounds,
    });
  }
  return measured;
}

/** Sends a request and returns the response, parsed if it is JSON. @throws Error for any status other than 2xx */
export async function request(address: string, { path, token, body }: Call): Promise<unknown> {
  const response = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : text;
}
