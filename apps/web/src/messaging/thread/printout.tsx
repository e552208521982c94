import type { Attachment } from '@stagedoor/contract/media';
import { ATTACHMENT_LABELS, type Message } from '@stagedoor/contract/messaging/messages';
import { exactTimeOf } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { quotePreview, shownPreview, shownText, unsentText } from '../messages/message-text.ts';

const fullDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });

interface PrintoutProps {
  fanName: string;
  username: string | null;
  messages: readonly Message[];
  isCut: boolean;
  printedAt: string;
}

/** A conversation for print only: black on white, grouped by day. */
export function Printout({ fanName, username, messages, isCut, printedAt }: PrintoutProps) {
  const days = byDay(messages);
  return (
    <article className="printout hidden bg-[#fff] text-base text-[#000] print:block">
      <header className="mb-4 border-b border-[#000] pb-2">
        <h1 className="text-metric font-semibold">
          {t('Conversation with {name}', { name: fanName })}
        </h1>
        <p>
          {username !== null && (
            <span>
              <bdi dir="ltr">@{username}</bdi> ·{' '}
            </span>
          )}
          {t('Printed on {time}', { time: exactTimeOf(printedAt) })}
        </p>
        {isCut && <p>{t('Older messages are not included.')}</p>}
      </header>
      {[...days].map(([day, written]) => (
        <section key={day} className="mb-4">
          <h2 className="mb-2 break-after-avoid border-b border-[#999] pb-0.5 font-semibold">
            {day}
          </h2>
          {written.map((message) => (
            <PrintedMessage key={message.id} message={message} fanName={fanName} />
          ))}
        </section>
      ))}
    </article>
  );
}

/** Groups messages by day label, in order. */
function byDay(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const days = new Map<string, Message[]>();
  for (const message of messages) {
    const day = fullDate.format(Date.parse(message.created_at));
    const written = days.get(day);
    if (written) written.push(message);
    else days.set(day, [message]);
  }
  return days;
}

function PrintedMessage({ message, fanName }: { message: Message; fanName: string }) {
  const { author, created_at, content, attachments, reply_to, unsent } = message;
  const text = unsent === null ? shownText(content) : unsentText(unsent, null);
  return (
    <div className="mb-2.5 break-inside-avoid">
      <p className="break-after-avoid">
        <strong className="font-semibold">{author === null ? fanName : t('Creator')}</strong>
        {author !== null && <span> ({author.codename})</span>}
        <time dateTime={created_at} className="ms-2 tabular-nums">
          {clockTime(created_at)}
        </time>
      </p>
      {reply_to && (
        <p dir="auto" className="border-s-2 border-[#999] ps-2 italic">
          {shownPreview(quotePreview(reply_to))}
        </p>
      )}
      {text !== '' && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
      {attachments.map((attachment) => (
        <p key={attachment.id} className="italic">
          <Caption attachment={attachment} />
        </p>
      ))}
    </div>
  );
}

/** The text printed in place of an attachment. A product shows only its title. */
function Caption({
  attachment: { type, product_id, title, filename },
}: {
  attachment: Attachment;
}) {
  if (product_id !== null) return title ?? t('Untitled');
  return (
    <>
      {shownPreview(ATTACHMENT_LABELS[type])}
      {filename && `: ${filename}`}
    </>
  );
}
