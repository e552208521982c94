import { formatPrice } from '@stagedoor/browser/money';
import { campaignTextParts } from '@stagedoor/contract/selling/campaign-text';
import { File, LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Picture } from '../../ui/picture.tsx';

/** An attachment as a fan sees it. */
export interface PhoneAttachment {
  key: string;
  title: string;
  /** USD, for an offer; null for a file. */
  price: number | null;
  /** The URL of its picture, or null. */
  picture: string | null;
}

interface PhonePreviewProps {
  label: string;
  content: ReactNode;
  attachments: readonly PhoneAttachment[];
  /** Renews expired URLs of pictures. */
  refresh: () => Promise<void>;
}

/** A message as it looks on a fan's phone. */
export function PhonePreview({ label, content, attachments, refresh }: PhonePreviewProps) {
  const isEmpty = content === '' && attachments.length === 0;
  return (
    <figure
      aria-label={label}
      className="mx-auto w-full max-w-[300px] rounded-[32px] border border-control bg-surface p-2"
    >
      <div className="flex max-h-[440px] min-h-72 flex-col justify-end overflow-hidden rounded-[24px] bg-bg">
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          className="overflow-y-auto p-3 focus-visible:-outline-offset-2"
        >
          {isEmpty ? (
            <p className="py-8 text-center text-control text-fg-3">
              {t('The message appears here.')}
            </p>
          ) : (
            <div className="flex w-fit max-w-[92%] flex-col gap-1 rounded-bubble rounded-es-[4px] border border-line bg-surface p-1 text-message">
              {attachments.map((attachment) => (
                <Attached key={attachment.key} attachment={attachment} refresh={refresh} />
              ))}
              {content !== '' && (
                <p dir="auto" className="px-2 py-1 wrap-anywhere whitespace-pre-wrap">
                  {content}
                </p>
              )}
            </div>
          )}
        </div>
      </div>
    </figure>
  );
}

interface AttachedProps {
  attachment: PhoneAttachment;
  refresh: () => Promise<void>;
}

function Attached({ attachment: { title, price, picture }, refresh }: AttachedProps) {
  if (price === null)
    return picture === null ? (
      <span className="flex min-w-0 items-center gap-2 px-2 py-1.5 text-control">
        <File className="shrink-0" /> <span className="truncate">{title}</span>
      </span>
    ) : (
      <Picture
        url={picture}
        refresh={refresh}
        className="aspect-4/3 w-56 max-w-full rounded-[11px]"
      />
    );
  return (
    <span className="block w-56 max-w-full overflow-hidden rounded-[11px] border border-line">
      <span className="relative block">
        <Picture
          url={picture ?? ''}
          refresh={refresh}
          className="aspect-4/3 w-full [&_img]:scale-110 [&_img]:blur-md"
        />
        <span className="absolute inset-0 flex items-center justify-center">
          <span className="rounded-full bg-[#000b] p-2.5 text-white">
            <LockKeyhole size={18} />
          </span>
        </span>
      </span>
      <span className="flex items-baseline justify-between gap-2 px-2.5 py-2 text-control">
        <span dir="auto" className="truncate font-medium">
          {title}
        </span>
        <span className="font-semibold tabular-nums">{formatPrice(price)}</span>
      </span>
    </span>
  );
}

/** A text whose variables are marked, for fans that differ. */
export function MarkedVariables({ content }: { content: string }) {
  let at = 0;
  return campaignTextParts(content).map((part) => {
    const key = at;
    at += 1;
    return 'text' in part ? (
      <span key={key}>{part.text}</span>
    ) : (
      <span key={key} className="rounded-chip bg-accent/12 px-1 text-accent-text">
        {part.fallback === null
          ? VARIABLES[part.variable]
          : t('{variable} or “{fallback}”', {
              variable: VARIABLES[part.variable],
              fallback: part.fallback,
            })}
      </span>
    );
  });
}

const VARIABLES = { first_name: t('first name'), username: t('username') } as const;
