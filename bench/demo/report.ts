import { availableParallelism, loadavg } from 'node:os';
import type { Times } from './ledger.ts';
import type { DemoOptions } from './options.ts';
import type { ServerUse } from './server-use.ts';
import type { Stored } from './verify.ts';
import type { World } from './world.ts';

/** How many distinct errors the text report lists, the most frequent first. */
const ERRORS_SHOWN = 8;

/** Milliseconds. */
interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface Measured {
  /** How long fans wrote. Seconds. */
  readonly seconds: number;
  readonly stored: Stored;
  readonly server: ServerUse | null;
  /** The demo's own event loop delay, which is part of all its measurements. Milliseconds. */
  readonly ownDelay: { readonly p99: number; readonly max: number };
}

/** All figures of a run, as written to the JSON file. */
export type Report = ReturnType<typeof reportOf>;

export function reportOf(world: World, options: DemoOptions, measured: Measured) {
  const { ledger, fanCounts, staffCounts, rates, fans, staff } = world;
  const { expected, missing, times } = ledger.deliveries();
  const confirmed = [...ledger.confirmed.values()];
  const byFans = confirmed.filter(({ by }) => by === 'fan').length;
  return {
    at: new Date().toISOString(),
    asked: {
      fans: options.fans,
      staff: options.staff,
      rate: options.rate,
      ...measuredTime(measured),
    },
    machine: {
      cores: availableParallelism(),
      load: loadavg().map((load) => Number(load.toFixed(2))),
      node: process.version,
      own_delay_ms: rounded(measured.ownDelay),
    },
    sockets: { fans: fans.length, staff: staff.length, reconnects: ledger.reconnects },
    a_second: rounded({
      joins: rates.joins,
      connects: rates.connects,
      messages: confirmed.length / measured.seconds,
      deliveries: expected / measured.seconds,
    }),
    messages: {
      sent: ledger.sent,
      confirmed: confirmed.length,
      by_fans: byFans,
      by_staff: confirmed.length - byFans,
      failed: ledger.failed,
    },
    live: {
      expected,
      delivered: expected - missing,
      lost: missing,
      repeated: ledger.repeated,
      out_of_order: ledger.outOfOrder,
    },
    read_back: measured.stored,
    done: {
      claims: staffCounts.claims,
      reads_by_staff: staffCounts.reads,
      reads_by_fans: fanCounts.reads,
      reactions: staffCounts.reactions + fanCounts.reactions,
      offers: staffCounts.offers,
      purchases: fanCounts.purchases,
      still_locked: fans.reduce((sum, fan) => sum + fan.stillLocked, 0),
    },
    latency_ms: {
      fan_send_confirmed: latency(ledger.fanConfirm),
      fan_message_to_each_staff_socket: latency(times.fanToStaff),
      fan_message_to_own_socket: latency(times.fanToOwnSocket),
      staff_send_confirmed: latency(ledger.staffConfirm),
      staff_message_to_fan_socket: latency(times.staffToFan),
      staff_message_to_each_staff_socket: latency(times.staffToColleagues),
      purchase_to_unlocked_at_fan: latency(ledger.purchaseToUnlocked),
    },
    server: measured.server && rounded({ ...measured.server }),
    errors: Object.fromEntries(ledger.errors),
  };
}

/** Returns whether nothing was lost, duplicated, out of order, failed or left locked, and some message was confirmed. */
export function isSound({ live, read_back, messages, done }: Report): boolean {
  const wrong = [
    messages.failed,
    live.lost,
    live.out_of_order,
    read_back.lost,
    read_back.doubled,
    read_back.outOfOrder,
    done.still_locked,
  ];
  return messages.confirmed > 0 && wrong.every((count) => count === 0);
}

const measuredTime = ({ seconds }: Measured) => ({ seconds: Math.round(seconds * 10) / 10 });

function latency({ all }: Times): Latency {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)) /
    10;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

function rounded<T extends Readonly<Record<string, number>>>(figures: T): T {
  const entries = Object.entries(figures).map(([name, value]) => [
    name,
    Math.round(value * 100) / 100,
  ]);
  return Object.fromEntries(entries) as T;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** Formats the report as text for the terminal. */
export function reportText(report: Report): string {
  const { sockets, messages, live, read_back, done, machine, server, a_second } = report;
  const row = (name: string, { count, p50, p90, p99, max }: Latency) =>
    `  ${name.replaceAll('_', ' ').padEnd(38)}${[count, p50, p90, p99, max].map((n) => String(n).padStart(9)).join('')}`;
  const most = Object.entries(report.errors).toSorted(([, a], [, b]) => b - a);
  const errors = most.slice(0, ERRORS_SHOWN).map(([text, times]) => `  ${times} × ${text}`);
  return [
    '',
    `${sockets.fans} fans' and ${sockets.staff} staff's sockets, ${report.asked.seconds} s, ${a_second.messages} messages/s, ${a_second.deliveries} deliveries/s`,
    `  messages     ${messages.sent} sent, ${messages.confirmed} confirmed (${messages.by_fans} by fans, ${messages.by_staff} by staff), ${messages.failed} failed`,
    `  live         ${live.delivered} of ${live.expected} delivered; ${live.lost} lost, ${live.out_of_order} out of order; ${live.repeated} came again, and were dropped`,
    `  read back    ${read_back.conversations} conversations; ${read_back.lost} lost, ${read_back.doubled} doubled, ${read_back.outOfOrder} out of order`,
    `  beside       ${done.claims} claims, ${done.reads_by_staff} + ${done.reads_by_fans} reads, ${done.reactions} reactions, ${done.offers} offers, ${done.purchases} bought (${done.still_locked} still locked)`,
    `  connecting   ${a_second.joins} fans joined and ${a_second.connects} sockets connected a second, ${sockets.reconnects} reconnects`,
    '',
    `  milliseconds${['count', 'p50', 'p90', 'p99', 'max'].map((name, n) => name.padStart(n === 0 ? 35 : 9)).join('')}`,
    ...Object.entries(report.latency_ms).map(([name, figures]) => row(name, figures)),
    '',
    server
      ? `  server       ${server.memory.toFixed(0)} MB (${server.memoryPeak.toFixed(0)} at most), ${percent(server.cpu)} of a core and ${percent(server.waiting)} of the time waiting for one; its database ${percent(server.databaseCpu)}`
      : '  server       not ours to measure',
    `  machine      ${machine.cores} cores, load ${machine.load.join(' ')}, the demo itself late by ${machine.own_delay_ms.p99} ms (p99; ${machine.own_delay_ms.max} at most)`,
    ...(errors.length > 0 ? ['', '  went wrong', ...errors] : []),
    '',
    isSound(report)
      ? 'Nothing lost, nothing doubled, nothing out of order.'
      : 'NOT SOUND: see above.',
  ].join('\n');
}
