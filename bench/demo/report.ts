import { availableParallelism, loadavg } from 'node:os';
import { ranked, round } from '../lib/statistics.ts';
import type { ServerUse } from './server-use.ts';
import type { Stored } from './verify.ts';
import type { World } from './world.ts';

/** How many distinct errors the text report lists, the most frequent first. */
const ERRORS_SHOWN = 8;

/** The demo's options; see its usage. */
export interface Options {
  readonly fans: number;
  readonly staff: number;
  /** Messages from fans per second. */
  readonly rate: number;
  /** Seconds. */
  readonly duration: number;
  /** The number of fans in the mass message's audience; 0 sends no mass message. */
  readonly campaign: number;
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

export function reportOf(world: World, options: Options, measured: Measured) {
  const { ledger, fanCounts, staffCounts, rates, fans, staff } = world;
  const { campaign, ...read_back } = measured.stored;
  const { expected, missing, times } = ledger.deliveries();
  const confirmed = [...ledger.confirmed.values()];
  const byFans = confirmed.filter(({ by }) => by === 'fan').length;
  return {
    at: new Date().toISOString(),
    asked: {
      fans: options.fans,
      staff: options.staff,
      rate: options.rate,
      seconds: round(measured.seconds, 1),
      campaign: options.campaign,
    },
    machine: {
      cores: availableParallelism(),
      load: loadavg().map((load) => round(load)),
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
    read_back,
    campaign,
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
      staff_message_to_each_staff_socket: latency(times.staffToTeammates),
      purchase_to_unlocked_at_fan: latency(ledger.purchaseToUnlocked),
    },
    server: measured.server && rounded({ ...measured.server }),
    errors: Object.fromEntries(ledger.errors),
  };
}

/** Returns whether nothing was lost, duplicated, out of order, failed or left locked, and at least one message was confirmed. */
export function isSound({ live, read_back, campaign, messages, done }: Report): boolean {
  const wrong = [
    messages.failed,
    live.lost,
    live.out_of_order,
    read_back.lost,
    read_back.doubled,
    read_back.outOfOrder,
    done.still_locked,
    campaign?.undecided ?? 0,
    campaign?.contradicted ?? 0,
  ];
  return messages.confirmed > 0 && wrong.every((count) => count === 0);
}

/** Summarizes latencies in milliseconds. */
function latency(times: readonly number[]) {
  const at = ranked(times.map((ms) => round(ms, 1)));
  return { count: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

function rounded<T extends Readonly<Record<string, number>>>(figures: T): T {
  const entries = Object.entries(figures).map(([name, value]) => [name, round(value)]);
  return Object.fromEntries(entries) as T;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

function showCampaign(results: NonNullable<Report['campaign']>): string {
  const { audience, sent, a_second, read, replied, purchases, undecided, contradicted } = results;
  const reasons = Object.entries(results.skipped).map(([reason, fans]) => `${fans} ${reason}`);
  return `${sent} of ${audience} fans got it (${a_second} recipients/s), skipped: ${reasons.join(', ') || 'none'}; ${read} read, ${replied} replied, ${purchases} purchases; ${undecided} without exactly one recipient, ${contradicted} with wrong messages`;
}

/** Prints the report as text. */
export function showReport(report: Report): void {
  const { sockets, messages, live, read_back, campaign, done, machine, server, a_second } = report;
  const most = Object.entries(report.errors).toSorted(([, a], [, b]) => b - a);
  const errors = most.slice(0, ERRORS_SHOWN).map(([text, times]) => `  ${times} × ${text}`);
  console.log(`
${sockets.fans} fans' and ${sockets.staff} staff's sockets, ${report.asked.seconds} s, ${a_second.messages} messages/s, ${a_second.deliveries} deliveries/s
  messages     ${messages.sent} sent, ${messages.confirmed} confirmed (${messages.by_fans} by fans, ${messages.by_staff} by staff), ${messages.failed} failed
  live         ${live.delivered} of ${live.expected} delivered; ${live.lost} lost, ${live.out_of_order} out of order, ${live.repeated} repeated and dropped
  read back    ${read_back.conversations} conversations; ${read_back.lost} lost, ${read_back.doubled} duplicated, ${read_back.outOfOrder} out of order
  also         ${done.claims} claims, ${done.reads_by_staff} + ${done.reads_by_fans} reads, ${done.reactions} reactions, ${done.offers} offers, ${done.purchases} purchases (${done.still_locked} still locked)
  connecting   ${a_second.joins} fans joined and ${a_second.connects} sockets connected per second, ${sockets.reconnects} reconnects
  mass message ${campaign ? showCampaign(campaign) : 'not sent'}
`);
  console.table(report.latency_ms);
  console.log(
    server
      ? `  server       ${server.memory.toFixed(0)} MB (peak ${server.memoryPeak.toFixed(0)}), ${percent(server.cpu)} of a core, waiting for one ${percent(server.waiting)} of the time; its database ${percent(server.databaseCpu)}`
      : '  server       not measured',
  );
  console.log(
    `  machine      ${machine.cores} cores, load ${machine.load.join(' ')}, delay of the demo itself ${machine.own_delay_ms.p99} ms (p99; max ${machine.own_delay_ms.max})`,
  );
  if (errors.length > 0) console.log(['', '  errors', ...errors].join('\n'));
  console.log(
    isSound(report) ? '\nNothing lost, duplicated or out of order.' : '\nNOT SOUND: see above.',
  );
}
