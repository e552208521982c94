import {
  acceptInvite,
  type BenefitType,
  createInvites,
  type Invite,
  listInvites,
} from '@stagedoor/contract/fans/invites';
import { type RawBuilder, sql } from 'kysely';
import { buildFan, buildStaff, type Staff, unique } from '../factories.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';

/** Returns an email address that is unique in the run. */
export const someone = () => `${unique('someone')}@fans.example`;

/** Opens helpers for sending and accepting invitations. */
export async function openInviteDesk(app: TestApp) {
  const staff = await buildStaff(app);

  const invite = async (emails: string[], benefitType?: BenefitType, by: Staff = staff) => {
    const body = { emails, ...(benefitType && { benefitType }) };
    return (await by.client.call(createInvites, { body })).body;
  };

  /** Returns the newest invitation of an address. */
  const find = async (email: string): Promise<Invite | undefined> => {
    const { body } = await staff.client.call(listInvites, { query: { limit: 200 } });
    return body.data.find((listed) => listed.email === email);
  };

  const reaches = (email: string, state: Invite['state']): Promise<Invite> =>
    until(`${email} is ${state}`, async () => {
      const found = await find(email);
      return found?.state === state ? found : null;
    });

  /** Returns the token in the newest email to an address. */
  const mailedToken = async (email: string, after = 0): Promise<string> => {
    const { mail } = await app.smtp.mailTo(email, after);
    const token = /\/invite\/([\w-]+)/.exec(mail.text ?? '')?.[1];
    if (token === undefined) throw new Error('no link in the email');
    return token;
  };

  return {
    staff,
    invite,
    find,
    reaches,
    mailedToken,

    /** Sends an invitation and waits for its delivery. @returns its address, its link's token and its id */
    async invited(benefitType: BenefitType = '1_month_free') {
      const email = someone();
      await invite([email], benefitType);
      const token = await mailedToken(email);
      const { id } = await reaches(email, 'sent');
      return { email, token, id };
    },

    /** Accepts an invitation as a fan of the platform. */
    accept: (token: string, fan: string) =>
      app.platform.call(acceptInvite, { params: { token }, body: { fan } }),

    buildFan: () => buildFan(app),

    /** Moves an invitation's timestamp into the past. */
    async age(email: string, column: 'expires_at' | 'sent_at', interval: RawBuilder<unknown>) {
      await sql`update invites set ${sql.ref(column)} = now() - ${interval} where email = ${email}`.execute(
        app.db.kysely,
      );
    },
  };
}
