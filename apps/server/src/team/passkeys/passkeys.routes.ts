import * as api from '@stagedoor/contract/team/passkeys';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import { presentRecord } from '../admins/admins.store.ts';
import { SIGN_IN_LIMIT } from '../auth/auth.routes.ts';
import { sessionCookies } from '../auth/session-secrets.ts';
import { confirm, startConfirmation } from './confirm.service.ts';
import type { Passkeys } from './open-passkeys.ts';
import { listPasskeys, presentPasskey } from './passkeys.store.ts';
import { relyingPartyOf, requireRelyingParty } from './relying-party.ts';
import { listRequirements } from './requirements.store.ts';

type PasskeyRoutes = Core & Passkeys;

const LIMITED = { perAddress: SIGN_IN_LIMIT };

export function bindPasskeyRoutes(router: Router, routes: PasskeyRoutes): void {
  bindSignIn(router, routes);
  bindOwn(router, routes);
  bindManaged(router, routes);
}

function bindSignIn(router: Router, { signIn, publicUrl, secure }: PasskeyRoutes): void {
  router.limited(LIMITED).bind(api.startPasskeySignIn, async ({ body, address }) => {
    const rp = requireRelyingParty(publicUrl, address);
    return reply(200, { data: await signIn.startSignIn(rp, body.pending) });
  });

  router.limited(LIMITED).bind(api.finishPasskeySignIn, async ({ body, address }) => {
    const rp = requireRelyingParty(publicUrl, address);
    const { admin, ...secrets } = await signIn.finishSignIn(rp, body.pending, body.response);
    return reply(200, { token: secrets.token, admin }, sessionCookies(secrets, secure));
  });

  router.limited(LIMITED).bind(api.startPasskeyEnrolment, async ({ body, address }) => {
    const rp = requireRelyingParty(publicUrl, address);
    return reply(200, { data: await signIn.startEnrolment(rp, body.pending) });
  });

  router.limited(LIMITED).bind(api.finishPasskeyEnrolment, async ({ body, address }) => {
    const rp = requireRelyingParty(publicUrl, address);
    const { admin, ...secrets } = await signIn.finishEnrolment(rp, body.pending, body);
    return reply(200, { token: secrets.token, admin }, sessionCookies(secrets, secure));
  });
}

function bindOwn(router: Router, { db, own, publicUrl }: PasskeyRoutes): void {
  router.bind(api.listPasskeys, async ({ actor, address }) => {
    const rows = await listPasskeys(db.kysely, actor.admin.id);
    const roles = await listRequirements(db.kysely);
    return reply(200, {
      data: rows.map(presentPasskey),
      origin: relyingPartyOf(publicUrl, address.host)?.origin ?? null,
      required: roles.some(({ role, required }) => required && role === actor.admin.role),
    });
  });

  router
    .limited(LIMITED)
    .bind(api.startPasskeyAddition, async ({ actor, address }) =>
      reply(200, { data: await own.startAddition(requireRelyingParty(publicUrl, address), actor) }),
    );

  router.limited(LIMITED).bind(api.addPasskey, async ({ actor, body, address }) => {
    const added = await own.add(requireRelyingParty(publicUrl, address), actor, body);
    return reply(201, { data: presentPasskey(added) });
  });

  router.bind(api.renamePasskey, async ({ actor, params, body }) =>
    reply(200, { data: presentPasskey(await own.rename(actor, params.id, body.name)) }),
  );

  router.bind(api.removePasskey, async ({ actor, params }) => {
    await own.remove(actor, params.id);
    return reply(200, { data: { removed: true } });
  });

  router.limited(LIMITED).bind(api.startPasskeyConfirmation, async ({ actor, address }) =>
    reply(200, {
      data: await startConfirmation(db, requireRelyingParty(publicUrl, address), actor),
    }),
  );

  router.limited(LIMITED).bind(api.confirmByPasskey, async ({ actor, body, address }) => {
    await confirm(db, requireRelyingParty(publicUrl, address), actor, body.response);
    return reply(200, { data: { confirmed: true } });
  });
}

function bindManaged(router: Router, { requirements, publicUrl }: PasskeyRoutes): void {
  router.bind(api.listPasskeyRequirements, async () =>
    reply(200, { data: await requirements.list() }),
  );

  router.bind(api.setPasskeyRequirement, async ({ actor, body, address }) => {
    // Where passkeys don't work, no admin could meet the requirement.
    if (body.required) requireRelyingParty(publicUrl, { host: address.host, origin: null });
    await requirements.set(actor, body.role, body.required);
    return reply(200, { data: await requirements.list() });
  });

  router.bind(api.resetPasskeys, async ({ actor, params }) =>
    reply(200, { data: presentRecord(await requirements.reset(actor, params.id)) }),
  );
}
