import { bundleText } from '@stagedoor/browser/bundles';
import { formatPrice } from '@stagedoor/browser/money';
import type { BundleFile } from '@stagedoor/contract/media';
import { campaignTextParts } from '@stagedoor/contract/selling/campaign-text';
import { useQuery } from '@tanstack/react-query';
import { File, LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { creatorOptions } from '../../team/creator/queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Picture } from '../../ui/picture.tsx';

/** An attachment as a fan sees it. */
export interface PhoneAttachment {
  key: string;
  title: string;
  /** USD, for an offer; null for a file. */
  price: number | null;
  /** The URL of the attachment's picture, or null. */
  picture: string | null;
  description?: string | null;
  /** The files in a product. */
  files?: readonly BundleFile[];
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
  const { data: creator } = useQuery(creatorOptions);
  const isEmpty = content === '' && attachments.length === 0;
  return (
    <figure
      aria-label={label}
      className="mx-auto w-full max-w-[300px] rounded-[32px] border border-control bg-surface p-2"
    >
      <div className="flex max-h-135 min-h-72 flex-col overflow-hidden rounded-[24px] bg-bg">
        <div className="flex min-h-12 items-center gap-2 border-b border-line bg-surface px-4">
          {creator && (
            <>
              <Avatar name={creator.display_name} url={creator.avatar_url} size="small" />
              <span dir="auto" className="truncate text-control font-semibold">
                {creator.display_name}
              </span>
            </>
          )}
        </div>
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          className="mt-auto overflow-y-auto p-3 focus-visible:-outline-offset-2"
        >
          {isEmpty ? (
            <p className="py-8 text-center text-control text-fg-3">
              {t('The message appears here.')}
            </p>
          ) : (
            <div className="flex w-fit max-w-[92%] flex-col gap-1 text-message">
              {attachments.map((attachment) => (
                <Attached key={attachment.key} attachment={attachment} refresh={refresh} />
              ))}
              {content !== '' && (
                <p
                  dir="auto"
                  className="w-fit rounded-bubble rounded-es-[4px] border border-line bg-surface px-3 py-1.5 wrap-anywhere whitespace-pre-wrap"
                >
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

function Attached({ attachment, refresh }: AttachedProps) {
  const { title, price, picture, description, files = [] } = attachment;
  if (price === null)
    return picture === null ? (
      <span className="flex min-w-0 items-center gap-2 rounded-card border border-line bg-surface px-3 py-2 text-control">
        <File /> <span className="truncate">{title}</span>
      </span>
    ) : (
      <Picture
        url={picture}
        refresh={refresh}
        className="aspect-4/3 w-56 max-w-full rounded-card"
      />
    );
  const free = files.filter((file) => file.free);
  return (
    <div className="w-56 max-w-full overflow-hidden rounded-card border border-line bg-surface text-control">
      <div className="relative">
        <Picture
          url={picture ?? ''}
          refresh={refresh}
          className="aspect-video w-full [&_img]:scale-110 [&_img]:blur-md"
        />
        <span className="absolute inset-0 flex items-center justify-center">
          <span className="rounded-full bg-[#0008] p-3 text-white ring-1 ring-white/30">
            <LockKeyhole size={20} />
          </span>
        </span>
      </div>
      <div className="flex flex-col gap-1.5 p-2.5">
        <p dir="auto" className="text-base font-semibold wrap-anywhere">
          {title}
        </p>
        {files.length > 0 && <p className="text-fg-2 tabular-nums">{bundleText(files)}</p>}
        {description && (
          <p dir="auto" className="line-clamp-4 whitespace-pre-line text-fg-2 wrap-anywhere">
            {description}
          </p>
        )}
        {free.length > 0 && (
          <>
            <p className="text-meta font-medium text-good">{t('Free preview')}</p>
            <div className="grid grid-cols-3 gap-1">
              {free.map(({ id, preview_url }) => (
                <Picture
                  key={id}
                  url={preview_url}
                  refresh={refresh}
                  className="aspect-square w-full rounded-control"
                />
              ))}
            </div>
          </>
        )}
        <p className="mt-1 rounded-control bg-accent px-3 py-2 text-center font-semibold text-white">
          {t('Unlock for {price}', { price: formatPrice(price) })}
        </p>
      </div>
    </div>
  );
}

/** A text with its variables marked, because their values differ from fan to fan. */
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

/** Replaces each variable of a text with its fallback, or with its name in brackets if it has none. */
export const withoutVariables = (content: string): string =>
  campaignTextParts(content)
    .map((part) =>
      'text' in part ? part.text : (part.fallback ?? `[${VARIABLES[part.variable]}]`),
    )
    .join('');

const VARIABLES = { first_name: t('first name'), username: t('username') } as const;
