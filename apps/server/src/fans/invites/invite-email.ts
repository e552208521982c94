import type { BenefitType } from '@stagedoor/contract/fans/invites';
import { emailPage, html } from '../../mail/letter.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { Texts } from '../../texts.ts';

interface InviteMailContent {
  readonly email: string;
  readonly benefit_type: BenefitType;
  readonly expires_at: Date;
  /** The creator's display name. */
  readonly creator: string;
  readonly url: string;
}

export function inviteMail({ t, locale, language }: Texts, content: InviteMailContent): Mail {
  const { email, creator, url } = content;
  const benefits: Record<BenefitType, string> = {
    '1_month_free': t('1 month free'),
    '3_months_free': t('3 months free'),
    '24_hours_free': t('24 hours free'),
    full_subscription: t('A full subscription'),
  };
  const benefit = benefits[content.benefit_type];
  // The reader's time zone is unknown.
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const day = date.format(content.expires_at);
  const title = t('{creator} invites you', { creator });
  const see = t('See your invitation');
  const limits = t('Only you can accept it, once, until {day} (UTC).', { day });
  const unexpected = t('If you did not expect this email, you can ignore it.');

  const initial = [...creator.trim()][0]?.toUpperCase() ?? '♥';
  const card = html`<tr><td align="center" style="padding:16px 32px 0">
<div style="display:none;max-height:0;overflow:hidden">${t('{benefit}, until {day} (UTC)', { benefit, day })}</div>
<div style="width:56px;height:56px;line-height:56px;border-radius:28px;background:#dde6fe;color:#3a45c8;font-size:24px;font-weight:600;text-align:center">${initial}</div>
</td></tr>
<tr><td align="center" style="padding:16px 32px 0;color:#161b23;font-size:22px;line-height:28px;font-weight:600">${title}</td></tr>
<tr><td align="center" style="padding:24px 32px 0">
<div style="padding:16px;border-radius:8px;background:#eff1f5;color:#161b23;font-size:17px;line-height:24px;font-weight:600">${benefit}</div>
</td></tr>
<tr><td align="center" style="padding:24px 32px 0">
<a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#4251d4;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${see}</a>
</td></tr>
<tr><td align="center" style="padding:24px 32px 16px;color:#5c606a;font-size:13px;line-height:20px">${limits}</td></tr>`;
  const footer = html`<tr><td align="center" style="padding:16px 32px;color:#5c606a;font-size:12px;line-height:18px">${t('If the button does not work, open this link:')}<br><a href="${url}" style="color:#3a45c8;word-break:break-all">${url}</a><br><br>${unexpected}</td></tr>`;
  return {
    to: email,
    language,
    subject: t('{creator} invites you: {benefit}', { creator, benefit }),
    text: `${[title, benefit, see, url, limits, unexpected].join('\n\n')}\n`,
    html: emailPage(language, title, card, footer),
  };
}
