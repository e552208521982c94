import { describe, expect, it } from 'vitest';
import { createEventOrder } from './event-order.ts';

function setUp(cachedVersion: number | undefined = 1) {
  const delivered: number[] = [];
  const gaps: string[] = [];
  const timers = new Set<() => void>();
  const order = createEventOrder<number>({
    cachedVersion: () => cachedVersion,
    deliver: (event) => delivered.push(event),
    onGap: (stream) => gaps.push(stream),
    schedule: (callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  });
  const wait = () => {
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer();
    }
  };
  return {
    delivered,
    gaps,
    timers,
    wait,
    accept: (version: number) => order.accept('c1', version, version),
    order,
  };
}

describe('the event order', () => {
  it('delivers events in order immediately', () => {
    const { accept, delivered, timers } = setUp();
    for (const version of [2, 3, 4]) accept(version);
    expect(delivered).toEqual([2, 3, 4]);
    expect(timers.size).toBe(0);
  });

  it('holds back out-of-order events until the missing ones arrive', () => {
    const { accept, delivered, gaps, timers, wait } = setUp();
    for (const version of [2, 4, 5, 3]) accept(version);
    wait();
    expect(delivered).toEqual([2, 3, 4, 5]);
    expect(timers.size).toBe(0);
    expect(gaps).toEqual([]);
  });

  it('keeps both of two events with the same version, in the order of their arrival', () => {
    const { order, accept, delivered, wait } = setUp();
    order.accept('c1', 3, 30);
    order.accept('c1', 3, 31);
    accept(2);
    order.accept('c1', 5, 50);
    order.accept('c1', 5, 51);
    wait();
    expect(delivered).toEqual([2, 30, 31, 50, 51]);
  });

  it('stops waiting for missing events and reports a gap', () => {
    const { accept, delivered, gaps, wait } = setUp();
    for (const version of [5, 4]) accept(version);
    expect(delivered).toEqual([]);
    wait();
    expect(delivered).toEqual([4, 5]);
    expect(gaps).toEqual(['c1']);
  });

  it('passes on old and duplicate events, which the caches ignore', () => {
    const { accept, delivered } = setUp(7);
    for (const version of [3, 7, 8, 8]) accept(version);
    expect(delivered).toEqual([3, 7, 8, 8]);
  });

  it('does not wait if nothing of the stream is cached', () => {
    const order: number[] = [];
    const { accept } = createEventOrder<number>({
      cachedVersion: () => undefined,
      deliver: (event) => order.push(event),
      onGap: () => order.push(-1),
    });
    accept('c2', 40, 40);
    expect(order).toEqual([40]);
  });

  it('keeps streams separate and returns the latest version of each', () => {
    const { order, delivered } = setUp();
    order.accept('c1', 2, 2);
    order.accept('c2', 2, 20);
    expect(delivered).toEqual([2, 20]);
    expect([order.latest('c1'), order.latest('c2'), order.latest('c3')]).toEqual([2, 2, 0]);
  });

  it('drops everything when cleared', () => {
    const { accept, order, delivered, wait } = setUp();
    accept(9);
    order.clear();
    wait();
    expect(delivered).toEqual([]);
  });
});
