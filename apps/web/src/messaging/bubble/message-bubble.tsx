import { linkify } from '@stagedoor/browser/linkify';
import { Check, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { classes } from '../../ui/classes.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import { Quote } from './quote.tsx';

/** A message's delivery state. `uploading` means that its files are still being uploaded. */
export type Delivery = 'uploading' | 'sending' | 'sent' | 'read' | 'failed';

interface MessageBubbleProps {
  text: string;
  isOutgoing: boolean;
  endsGroup: boolean;
  delivery: Delivery;
  createdAt: string;
  /** The staff member who wrote it, for the time's tooltip. */
  author: string | null;
  quote: ReplyTarget | null;
  /** The attachments, above the text. */
  attachments: ReactNode;
  /** Whether the time is drawn on top of the last picture, because there is no text. */
  endsInPicture: boolean;
  /** The upload progress, next to the clock. */
  progress?: ReactNode;
  onOpenQuote?: ((id: string) => void) | undefined;
  children?: ReactNode;
}

/** A message's text with its time and state. Space for both is reserved, so that a bubble never changes size. */
export function MessageBubble(props: MessageBubbleProps) {
  const { text, isOutgoing, endsGroup, delivery, createdAt, author } = props;
  const { quote, attachments, endsInPicture, progress, onOpenQuote, children } = props;
  return (
    <div
      className={classes(
        'relative w-fit max-w-full min-w-0 rounded-bubble text-message compact:text-base coarse:select-none',
        attachments ? (endsInPicture ? 'p-1' : 'px-1 pt-1 pb-[7px]') : 'px-3 py-[7px] compact:py-1',
        isOutgoing ? 'ms-auto bg-bubble-out' : 'border border-line bg-surface',
        endsGroup && (isOutgoing ? 'rounded-ee-[4px]' : 'rounded-es-[4px]'),
        (delivery === 'uploading' || delivery === 'sending') && 'opacity-75',
      )}
    >
      {quote && <Quote target={quote} onOpen={onOpenQuote} />}
      {attachments}
      {/* The time sits where the text ends, for left-to-right and right-to-left text. */}
      <div dir={text === '' ? undefined : 'auto'}>
        {!endsInPicture && (
          <p
            className={classes(
              'wrap-anywhere whitespace-pre-wrap',
              attachments !== null && (text === '' ? 'h-5' : 'w-0 min-w-full px-2 pt-1'),
            )}
          >
            <LinkedText text={text} />
            <span
              aria-hidden="true"
              className={classes('inline-block h-0', isOutgoing ? 'w-[62px]' : 'w-[44px]')}
            />
          </p>
        )}
        <MessageMeta
          delivery={delivery}
          createdAt={createdAt}
          author={author}
          isOutgoing={isOutgoing}
          endsInPicture={endsInPicture}
          progress={progress}
        />
      </div>
      {children}
    </div>
  );
}

/** A text with clickable links. Nothing is fetched before a click. */
function LinkedText({ text }: { text: string }) {
  return linkify(text).map(({ text: part, href }, index) =>
    href === null ? (
      part
    ) : (
      <a
        // The parts of a text never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current"
      >
        {part}
      </a>
    ),
  );
}

type MetaProps = Pick<
  MessageBubbleProps,
  'delivery' | 'createdAt' | 'author' | 'isOutgoing' | 'endsInPicture' | 'progress'
>;

function MessageMeta(props: MetaProps) {
  const { delivery, createdAt, author, isOutgoing, endsInPicture, progress } = props;
  const title = author ? `${exactTimeOf(createdAt)} · ${author}` : exactTimeOf(createdAt);
  return (
    <span
      title={title}
      className={classes(
        'absolute flex min-h-4 min-w-8 items-center justify-end gap-1 text-badge tabular-nums',
        endsInPicture
          ? 'end-2.5 bottom-2.5 rounded-full bg-[#000b] px-1.5 text-white'
          : ['end-2.5 bottom-1.5 compact:bottom-1', metaColor(delivery, isOutgoing)].join(' '),
      )}
    >
      {progress}
      {(delivery === 'uploading' || delivery === 'sending') && (
        <Clock role="img" aria-label={t('Sending')} size={12} strokeWidth={1.75} />
      )}
      {(delivery === 'sent' || delivery === 'read') && (
        <time dateTime={createdAt}>{clockTime(createdAt)}</time>
      )}
      {delivery === 'read' && isOutgoing && (
        <Check
          role="img"
          aria-label={t('Read')}
          size={13}
          strokeWidth={2.25}
          className={endsInPicture ? undefined : 'text-accent-text'}
        />
      )}
    </span>
  );
}

/** Messages being sent are faded, so their progress needs the stronger color. */
function metaColor(delivery: Delivery, isOutgoing: boolean): string {
  if (delivery === 'uploading' || delivery === 'sending') return 'text-fg';
  return isOutgoing ? 'text-fg-2' : 'text-fg-3';
}
