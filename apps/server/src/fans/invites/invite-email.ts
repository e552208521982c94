import type { BenefitType } from '@stagedoor/contract/fans/invites';
import type { Mail } from '../../mail/mailer.ts';
import { BENEFIT_WORDS, dayOf, escapeHtml } from './invite-words.ts';

interface InviteMailContent {
  readonly email: string;
  readonly benefit_type: BenefitType;
  readonly expires_at: Date;
  /** The creator's display name. */
  readonly creator: string;
  readonly url: string;
}

/** Builds an invitation email. Styles are inline, because email programs drop style sheets. */
export function inviteMail(content: InviteMailContent): Mail {
  const { email, creator, url } = content;
  const benefit = BENEFIT_WORDS[content.benefit_type];
  const day = dayOf(content.expires_at);
  return {
    to: email,
    subject: `${creator} invites you: ${benefit.toLowerCase()}`,
    text: `${creator} invites you.

    ${benefit}

See your invitation here:

    ${url}

Only you can accept it, once, until ${day}. If you did not expect this email, you can ignore it.
`,
    html: page({
      creator: escapeHtml(creator),
      initial: escapeHtml([...creator.trim()][0]?.toUpperCase() ?? '♥'),
      benefit,
      url: escapeHtml(url),
      day,
    }),
  };
}

function page(text: Record<'creator' | 'initial' | 'benefit' | 'url' | 'day', string>): string {
  const font = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>Invitation</title></head>
<body style="margin:0;padding:0;background:#f5f7fa;${font}">
<div style="display:none;max-height:0;overflow:hidden">${text.benefit}, until ${text.day}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f7fa">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #dde0e4;border-radius:12px">
<tr><td align="center" style="padding:32px 32px 0">
<div style="width:56px;height:56px;line-height:56px;border-radius:28px;background:#dde6fe;color:#3a45c8;font-size:24px;font-weight:600;text-align:center">${text.initial}</div>
</td></tr>
<tr><td align="center" style="padding:16px 32px 0;color:#161b23;font-size:22px;line-height:28px;font-weight:600">${text.creator} invites you</td></tr>
<tr><td align="center" style="padding:24px 32px 0">
<div style="padding:16px;border-radius:8px;background:#eff1f5;color:#161b23;font-size:17px;line-height:24px;font-weight:600">${text.benefit}</div>
</td></tr>
<tr><td align="center" style="padding:24px 32px 0">
<a href="${text.url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#4251d4;color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">See your invitation</a>
</td></tr>
<tr><td align="center" style="padding:24px 32px 32px;color:#5c606a;font-size:13px;line-height:20px">Only you can accept it, once, until ${text.day}.</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td align="center" style="padding:16px 32px;color:#5c606a;font-size:12px;line-height:18px">If the button does not work, open this link:<br><a href="${text.url}" style="color:#3a45c8;word-break:break-all">${text.url}</a><br><br>If you did not expect this email, you can ignore it.</td></tr>
</table>
</td></tr></table>
</body></html>
`;
}
