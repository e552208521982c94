import { openFanSession } from '@stagedoor/contract/platform/fan-app';
import { createFanSession, type PlatformFan } from '@stagedoor/contract/platform/platform';
import { buildFan } from '../factories.ts';
import { type HttpClient, httpClient } from '../http-client.ts';
import type { FanSocket } from '../socket-client.ts';
import type { TestApp } from '../test-app.ts';

/** A fan signed in to the fan client. */
export interface SignedInFan {
  readonly fan: PlatformFan;
  readonly token: string;
  readonly client: HttpClient;
  /** Opens a socket, as another window of the fan client does. */
  connect(): Promise<FanSocket>;
}

/** Returns the link of a new session, as the platform gets it. */
export async function buildFanLink(app: TestApp, fan: PlatformFan): Promise<string> {
  const { body } = await app.platform.call(createFanSession, { params: { fan: fan.external_id } });
  return body.data.link;
}

/** Exchanges a link for a session, as the fan client does. @returns the session's token */
export async function followLink(app: TestApp, link: string): Promise<string> {
  return (await app.anonymous.call(openFanSession, { body: { link } })).body.data.token;
}

/** Signs a fan in to the fan client; a new fan by default. */
export async function signInFan(app: TestApp, given?: PlatformFan): Promise<SignedInFan> {
  const fan = given ?? (await buildFan(app));
  const token = await followLink(app, await buildFanLink(app, fan));
  return {
    fan,
    token,
    client: httpClient(app.url, token),
    connect: () => app.connectFanSocket(token),
  };
}
