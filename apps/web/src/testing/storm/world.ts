import { expect, vi } from 'vitest';
import type { ConsoleCode } from './console-code.ts';
import { ConsoleTab } from './console-tab.ts';
import { isListed, wholeList } from './model-lists.ts';
import { ModelNetwork } from './model-network.ts';
import { ME, ModelServer } from './model-server.ts';

/** Milliseconds without pending work after which a tab has settled: longer than any delay in the app. */
const REST_MS = 6_000;
/** The maximum number of steps to settle: enough for all retries of a send and the requests after them. */
const SETTLE_STEPS = 100;
const STEP_MS = 1_000;

/** Creates a storage that the two tabs share, as in one browser. */
function sharedStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** A model of the server, with two tabs of the real app. */
export class World {
  readonly tabs: ConsoleTab[];
  readonly server: ModelServer;
  /** The events that the network may lose. `sequenced`: only those whose loss the app detects by a gap. */
  readonly loses: 'any' | 'sequenced' | 'nothing';
  /** The texts that the tabs sent, with their conversations. */
  readonly sent = new Map<string, string>();

  /** Conversations with stored changes that have not been emitted yet. */
  readonly unemitted: string[] = [];

  constructor(codes: readonly ConsoleCode[], fans: number, loses: World['loses']) {
    this.loses = loses;
    vi.stubGlobal('localStorage', sharedStorage());
    vi.stubGlobal('sessionStorage', sharedStorage());
    const networks: ModelNetwork[] = [];
    this.server = new ModelServer((event) => {
      for (const network of networks) network.emit(event);
    });
    for (let n = 0; n < fans; n += 1) {
      const id = this.server.newFan();
      for (let m = 0; m <= n % 4; m += 1) this.server.write(id, n % 2 === 0 ? 'fan' : ME);
    }
    networks.push(...codes.map(() => new ModelNetwork(this.server)));
    const nameOf = (index: number) => `tab-${index}`;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      const token = new Headers(init.headers).get('authorization') ?? '';
      const network = networks.find((_, index) => token === `Bearer ${nameOf(index)}`);
      if (!network) throw new Error('a call of no tab');
      return network.fetch(url, init);
    });
    this.tabs = codes.map(
      (code, index) => new ConsoleTab(code, networks[index] as ModelNetwork, nameOf(index)),
    );
  }

  tab(index: number): ConsoleTab {
    return this.tabs[index] as ConsoleTab;
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    for (const tab of this.tabs) tab.follow();
  }

  /** Opens the same conversation in both tabs and all conversations in the first tab's list. Most storms start in this state. */
  async open(): Promise<void> {
    this.tab(0).show({ filter: 'all', sort: 'newest', tag: null, segment: null });
    for (const tab of this.tabs) tab.open(this.server.held.keys().next().value ?? null);
    await this.settle(3 * STEP_MS);
  }

  emitLate(): void {
    for (const id of this.unemitted.splice(0)) this.server.emitUpdated(id);
  }

  /** Delivers everything that is pending now, in order. */
  async calm(): Promise<void> {
    for (const { network } of this.tabs) {
      const due = network.calls.length;
      for (let left = network.events.length; left > 0; left -= 1) network.deliver(0, false);
      for (let left = due; left > 0; left -= 1) network.answer(0);
    }
    await this.pass(0);
  }

  /** Delivers everything in order until nothing more happens. */
  async settle(restMs = REST_MS): Promise<void> {
    let rested = 0;
    for (let step = 0; rested < restMs && step < SETTLE_STEPS; step += 1) {
      let isQuiet = true;
      for (const { network } of this.tabs) {
        while (network.events.length > 0 || network.calls.length > 0) {
          isQuiet = false;
          while (network.events.length > 0) network.deliver(0, false);
          network.answer(0);
          await vi.advanceTimersByTimeAsync(0);
        }
        network.repeat();
      }
      for (const tab of this.tabs) tab.retryList();
      rested = isQuiet && !this.tabs.some((tab) => tab.isBusy()) ? rested + STEP_MS : 0;
      await this.pass(STEP_MS);
    }
    expect(rested, 'the tabs come to rest').toBeGreaterThanOrEqual(restMs);
  }

  /** Checks the invariants that hold even while a tab shows old data. */
  expectSound(): void {
    for (const tab of this.tabs) {
      const shown = tab.rows();
      if (!shown) continue;
      const { rows } = shown;
      const view = { ...tab.params, adminId: ME.id };
      expect(
        rows.filter(({ unread_count }) => unread_count < 0),
        'no unread count is negative',
      ).toEqual([]);
      expect(
        rows.filter((row) => !isListed(view, row)).map(({ id }) => id),
        'each row belongs',
      ).toEqual([]);
      expect(new Set(rows.map(({ id }) => id)).size, 'no row is there twice').toBe(rows.length);
      expect(
        rows.map(({ id }) => id),
        'the rows are in order',
      ).toEqual(wholeList(view, rows).map(({ id }) => id));
      const seqs = tab.thread()?.messages.map(({ seq }) => seq) ?? [];
      expect(seqs, 'messages ascend, none twice').toEqual([...new Set(seqs)].sort((a, b) => a - b));
    }
  }

  /** Checks that a tab shows what a fresh fetch would return. */
  expectFresh(tab: ConsoleTab): void {
    const view = { ...tab.params, adminId: ME.id };
    const whole = wholeList(view, this.server.conversations());
    const shown = tab.rows();
    expect(shown, 'the list is there').not.toBeNull();
    if (!shown) return;
    expect(shown.rows, `rows of ${JSON.stringify(tab.params)}`).toEqual(
      whole.slice(0, shown.rows.length),
    );
    if (shown.isWhole) expect(shown.rows.length, 'the whole list is there').toBe(whole.length);
    expect(tab.tiles(), 'tiles').toEqual(this.server.stats(ME.id));
    if (tab.openId === null) return;
    const { conversation, messages } = this.server.find(tab.openId);
    expect(tab.conversation(), 'the open conversation').toEqual(conversation);
    const thread = tab.thread();
    const loaded = (thread?.messages ?? []).map(({ version: _version, ...message }) => message);
    expect(loaded, 'messages').toEqual(messages.slice(messages.length - loaded.length));
    expect(thread?.has_more, 'older messages').toBe(loaded.length < messages.length);
  }

  /** Shows each list again that was shown before, and checks that it is what a fresh fetch would return. */
  async expectAllFresh(): Promise<void> {
    this.expectSound();
    for (const tab of this.tabs) {
      this.expectFresh(tab);
      for (const params of tab.shown.values()) {
        tab.show(params);
        await this.settle(STEP_MS);
        this.expectFresh(tab);
      }
    }
  }

  /** Checks that every sent message is stored once, still queued, or erased with its conversation. */
  expectNothingLost(): void {
    const stored = [...this.server.held.values()].flatMap(({ messages }) => messages);
    const kept = localStorage.getItem(`stagedoor_unsent:${ME.id}`) ?? '';
    for (const [text, id] of this.sent) {
      const times = stored.filter(({ content }) => content === text).length;
      const isErased = this.server.removed.has(id);
      expect(times, `${text} is not doubled`).toBeLessThanOrEqual(1);
      expect(times === 1 || isErased || kept.includes(text), `${text} is not lost`).toBe(true);
    }
  }

  close(): void {
    for (const tab of this.tabs) tab.close();
  }
}
