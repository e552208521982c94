import type { Endpoint } from './endpoint.ts';
import * as fanFacts from './fans/fan-facts.ts';
import * as fans from './fans/fans.ts';
import * as invites from './fans/invites.ts';
import * as statements from './fans/statements.ts';
import * as tags from './fans/tags.ts';
import * as bulk from './inbox/bulk.ts';
import * as conversations from './inbox/conversations.ts';
import * as messageSearch from './inbox/message-search.ts';
import * as queue from './inbox/queue.ts';
import * as views from './inbox/views.ts';
import * as media from './media.ts';
import * as drafts from './messaging/drafts.ts';
import * as guardRails from './messaging/guard-rails.ts';
import * as handovers from './messaging/handovers.ts';
import * as mentions from './messaging/mentions.ts';
import * as messages from './messaging/messages.ts';
import * as scheduled from './messaging/scheduled.ts';
import * as staffNotes from './messaging/staff-notes.ts';
import * as templates from './messaging/templates.ts';
import * as fanApp from './platform/fan-app.ts';
import * as platform from './platform/platform.ts';
import * as platformKeys from './platform/platform-keys.ts';
import * as webhooks from './platform/webhooks.ts';
import * as analytics from './selling/analytics.ts';
import * as campaigns from './selling/campaigns.ts';
import * as earnings from './selling/earnings.ts';
import * as products from './selling/products.ts';
import * as segments from './selling/segments.ts';
import * as tips from './selling/tips.ts';
import * as admins from './team/admins.ts';
import * as audit from './team/audit.ts';
import * as auth from './team/auth.ts';
import * as creator from './team/creator.ts';
import * as notifications from './team/notifications.ts';
import * as passkeys from './team/passkeys.ts';
import * as settings from './team/settings.ts';
import * as shifts from './team/shifts.ts';

type EndpointsOf<Module> = {
  [Name in keyof Module as Module[Name] extends Endpoint ? Name : never]: Module[Name];
};

/** Returns a module's endpoints, without its other exports. */
const endpointsOf = <Module extends object>(module: Module) =>
  Object.fromEntries(
    Object.entries(module).filter(
      ([, value]) => value !== null && typeof value === 'object' && 'replies' in value,
    ),
  ) as EndpointsOf<Module>;

/** Every endpoint by name. The server must bind each exactly once; the documentation lists them. */
export const endpoints = {
  ...endpointsOf(auth),
  ...endpointsOf(passkeys),
  ...endpointsOf(conversations),
  ...endpointsOf(messageSearch),
  ...endpointsOf(queue),
  ...endpointsOf(bulk),
  ...endpointsOf(views),
  ...endpointsOf(fans),
  ...endpointsOf(fanFacts),
  ...endpointsOf(statements),
  ...endpointsOf(tags),
  ...endpointsOf(messages),
  ...endpointsOf(staffNotes),
  ...endpointsOf(mentions),
  ...endpointsOf(handovers),
  ...endpointsOf(notifications),
  ...endpointsOf(drafts),
  ...endpointsOf(media),
  ...endpointsOf(templates),
  ...endpointsOf(scheduled),
  ...endpointsOf(guardRails),
  ...endpointsOf(products),
  ...endpointsOf(tips),
  ...endpointsOf(admins),
  ...endpointsOf(audit),
  ...endpointsOf(settings),
  ...endpointsOf(shifts),
  ...endpointsOf(creator),
  ...endpointsOf(invites),
  ...endpointsOf(platform),
  ...endpointsOf(fanApp),
  ...endpointsOf(platformKeys),
  ...endpointsOf(webhooks),
  ...endpointsOf(analytics),
  ...endpointsOf(segments),
  ...endpointsOf(earnings),
  ...endpointsOf(campaigns),
};
