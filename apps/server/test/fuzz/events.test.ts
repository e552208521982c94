import { FAN_NAMESPACE } from '@stagedoor/contract/platform/fan-realtime';
import { type ClientEventName, clientEvents } from '@stagedoor/contract/realtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaign, explore } from './campaign.ts';
import { anything, fanLine, inputsOf, staffLine } from './events.ts';
import { brokenRules } from './invariants.ts';
import { type FuzzWorld, openFuzzWorld } from './world.ts';

const isChosen = (name: string) => campaign.only === null || campaign.only === name;
const events = (Object.keys(clientEvents) as ClientEventName[]).filter(isChosen);
const fans = [FAN_NAMESPACE].filter(isChosen);
const limits = { timeout: 60_000 + campaign.runs * 500 };

describe.skipIf(events.length + fans.length === 0)(`seed ${campaign.seed}`, () => {
  let world: FuzzWorld;
  beforeAll(async () => {
    world = await openFuzzWorld();
  });
  afterAll(() => world.close());

  test.each(events)(
    'any event sent as %s is answered, and no other socket is affected',
    limits,
    async (name) => {
      const line = await staffLine(world, name);
      await explore(name, inputsOf(name), campaign, line.attempt);
      line.close();
      expect(await brokenRules(world.app)).toEqual([]);
    },
  );

  test.each(fans)('any event a fan sends as %s is ignored', limits, async (name) => {
    const line = await fanLine(world);
    await explore(name, anything, campaign, line.attempt);
    line.close();
    expect(await brokenRules(world.app)).toEqual([]);
  });
});
