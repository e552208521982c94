import { formatPrice } from '@stagedoor/browser/money';
import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { ExclusionSummary } from './exclusion-summary.tsx';
import { withoutVariables } from './phone-preview.tsx';
import { draftIn, previewOptions, useCampaignAction } from './queries.ts';
import { VARIANTS } from './words.ts';

const list = new Intl.ListFormat(locale);

interface SendQuestionProps {
  campaign: Campaign;
  onStarted: () => void;
  onClose: () => void;
}

/**
 * Asks whether to start a saved campaign, naming the number of fans and the prices. Only the version shown can be started; if a
 * teammate has saved a newer version, that version is shown instead.
 */
export function SendQuestion({ campaign: saved, onStarted, onClose }: SendQuestionProps) {
  const [campaign, setCampaign] = useState(saved);
  const preview = useQuery(previewOptions(campaign));
  const { data, error, isFetching } = preview;
  const action = useCampaignAction(campaign);
  const now = useNow();
  const waits = campaign.send_at !== null && Date.parse(campaign.send_at) > now;
  const count = data?.sendable ?? 0;
  const fans = formatCount(count);
  const isOver = action.error instanceof ApiError && action.error.code === 'invalid_transition';
  const start = () =>
    action.mutate('start', {
      onSuccess: onStarted,
      onError: (failure) => setCampaign(draftIn(failure) ?? campaign),
    });
  return (
    <Dialog
      title={
        data === undefined
          ? t('Send this message?')
          : t('{count, plural, one {Send to {fans} fan?} other {Send to {fans} fans?}}', {
              count,
              fans,
            })
      }
      onClose={() => !action.isPending && onClose()}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button
            variant="primary"
            disabled={data === undefined || isOver}
            busy={action.isPending}
            onClick={start}
          >
            {waits ? t('Schedule') : t('Send Now')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="font-medium wrap-anywhere">
          <bdi>{campaign.name}</bdi>
        </p>
        {campaign.variants.map(({ content }, index) => (
          <Excerpt
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, only a position
            key={index}
            label={campaign.variants.length > 1 ? VARIANTS[index] : undefined}
            content={content}
          />
        ))}
        {offersOf(campaign).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {waits && campaign.send_at !== null && (
          <p className="text-fg-2">
            {campaign.fan_local_time
              ? t('Each fan gets it at the chosen time of day where they are.')
              : t('It is sent {time}.', {
                  time: formatMoment(Date.parse(campaign.send_at), now, ownZone()),
                })}
          </p>
        )}
        {data && <ExclusionSummary preview={data} isStale={isFetching} />}
        {data === undefined && error === null && <LoadingLine text={t('Counting fans...')} />}
        {error !== null && <QueryError query={preview} text={t('Couldn’t count the fans')} />}
        {action.isError && (
          <ErrorBox text={errorText(action.error, t('Couldn’t start the mass message'))} />
        )}
      </div>
    </Dialog>
  );
}

/** The beginning of a message's text, with the variant's name if there are two. */
function Excerpt({ label, content }: { label: string | undefined; content: string }) {
  if (label === undefined && content === '') return null;
  return (
    <div className="rounded-control bg-surface-2 px-3 py-2 text-control">
      {label !== undefined && <p className="text-meta text-fg-2">{label}</p>}
      {content !== '' && (
        <p dir="auto" className="line-clamp-4 wrap-anywhere whitespace-pre-line">
          {withoutVariables(content)}
        </p>
      )}
    </div>
  );
}

/** Returns a sentence for each message with offers. */
export function offersOf({ variants }: Campaign): string[] {
  const sentences = variants.flatMap(({ attachments }) => {
    const offers = attachments.flatMap(({ title, price }) =>
      price === null
        ? []
        : [t('“{title}” for {price}', { title: title ?? '', price: formatPrice(price) })],
    );
    return offers.length === 0 ? [] : [t('Offers {products}', { products: list.format(offers) })];
  });
  return [...new Set(sentences)];
}
