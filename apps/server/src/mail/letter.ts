import type { Language, Texts } from '../texts.ts';
import type { Mail } from './mailer.ts';

export const escapeHtml = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const html = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map(escapeHtml));

interface Letter extends Pick<Mail, 'to' | 'subject'> {
  readonly paragraphs: readonly string[];
}

/** Builds an email of paragraphs, as text and as HTML. */
export function letter({ language }: Texts, { to, subject, paragraphs }: Letter): Mail {
  const rows = paragraphs.map(
    (text) =>
      html`<tr><td style="padding:8px 32px;color:#161b23;font-size:15px;line-height:22px">${text}</td></tr>`,
  );
  return {
    to,
    subject,
    language,
    text: `${paragraphs.join('\n\n')}\n`,
    html: emailPage(language, subject, rows.join('\n')),
  };
}

/**
 * Builds an email's HTML: a card on a page. Styles are inline and the direction is set inside the body as well, because email
 * programs drop style sheets and the outer elements.
 * @param card the card's table rows
 * @param footer the table rows below the card
 */
export function emailPage(language: Language, title: string, card: string, footer = ''): string {
  const reader = `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`;
  return `<!doctype html>
<html ${reader}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#f5f7fa;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div ${reader}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f7fa">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #dde0e4;border-radius:12px;padding:16px 0">
${card}
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
${footer}
</table>
</td></tr></table>
</div>
</body></html>
`;
}
