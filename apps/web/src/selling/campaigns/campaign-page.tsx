import { bundleOf } from '@stagedoor/browser/bundles';
import { rich } from '@stagedoor/browser/rich-text';
import type { Attachment } from '@stagedoor/contract/media';
import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { AudienceWords } from './audience-words.tsx';
import { Beginning, CampaignProgress } from './campaign-progress.tsx';
import { MarkedVariables, type PhoneAttachment, PhonePreview } from './phone-preview.tsx';
import { campaignOptions, useCampaignAction, useCampaignEvents } from './queries.ts';
import { Recipients } from './recipients.tsx';
import { Results } from './results.tsx';
import { pauseReason, VARIANTS } from './words.ts';

interface CampaignPageProps {
  id: string;
  /** Whether the admin may pause, resume, cancel and unsend. */
  mayManage: boolean;
}

/** A campaign that was started: its progress, results, recipients and messages. */
export function CampaignPage({ id, mayManage }: CampaignPageProps) {
  useCampaignEvents();
  const found = useQuery(campaignOptions(id));
  const { data: campaign, error } = found;
  if (campaign === undefined)
    return error === null ? (
      <LoadingLine text={t('Loading the mass message...')} />
    ) : (
      <QueryError query={found} text={t('Couldn’t load the mass message')} />
    );
  return (
    <div className="flex flex-col gap-4 lg:gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="me-auto flex min-w-0 flex-col gap-0.5 text-control text-fg-2">
          <p>
            <Beginning campaign={campaign} />
          </p>
          <p className="wrap-anywhere">
            {rich('Audience: {audience}', {
              audience: (
                <bdi>
                  <AudienceWords audience={campaign.audience} />
                </bdi>
              ),
            })}
          </p>
          {campaign.paused_reason != null && (
            <p role="status" className="wrap-anywhere text-warn">
              {t('Paused: {reason}', { reason: pauseReason(campaign.paused_reason) })}
            </p>
          )}
        </div>
        <CampaignProgress campaign={campaign} />
        <Unsent campaign={campaign} />
        {mayManage && <Actions campaign={campaign} />}
      </div>
      <Results campaign={campaign} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-6">
        <Recipients campaign={campaign} />
        <WhatWasSent campaign={campaign} />
      </div>
    </div>
  );
}

/** Questions before a step that can't be undone. */
const QUESTIONS = {
  cancel: {
    title: t('Cancel this mass message?'),
    text: t('Fans who don’t have the message yet won’t get it. This can’t be undone.'),
    confirmLabel: t('Cancel Mass Message'),
  },
  unsend: {
    title: t('Unsend this mass message?'),
    text: t(
      'Its messages disappear for all fans who have neither read nor bought them, and no one else gets it. This can’t be undone.',
    ),
    confirmLabel: t('Unsend'),
  },
};

function Actions({ campaign }: { campaign: Campaign }) {
  const { state, started_at, unsent_at } = campaign;
  const action = useCampaignAction(campaign);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null);
  const isBusy = (name: string) => action.isPending && action.variables === name;
  const mayPause = state === 'running' || state === 'scheduled';
  const mayUnsend = started_at !== null && unsent_at === null;
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {action.isError && (
        <ErrorBox text={errorText(action.error, t('Couldn’t change the mass message'))} />
      )}
      {mayPause && (
        <Button busy={isBusy('pause')} onClick={() => action.mutate('pause')}>
          {t('Pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="primary" busy={isBusy('resume')} onClick={() => action.mutate('resume')}>
          {t('Resume')}
        </Button>
      )}
      {(mayPause || state === 'paused') && (
        <Button busy={isBusy('cancel')} onClick={() => setAsked('cancel')}>
          {t('Cancel Mass Message...')}
        </Button>
      )}
      {mayUnsend && (
        <Button busy={isBusy('unsend')} onClick={() => setAsked('unsend')}>
          {t('Unsend...')}
        </Button>
      )}
      {asked !== null && (
        <ConfirmDialog
          {...QUESTIONS[asked]}
          onClose={() => setAsked(null)}
          onConfirm={() => action.mutate(asked)}
        />
      )}
    </div>
  );
}

/** The number of fans from whom the message was unsent, and the number who keep it. */
function Unsent({ campaign: { unsent_at, is_unsending, counts } }: { campaign: Campaign }) {
  if (unsent_at === null) return null;
  return (
    <p role="status" className="text-meta text-fg-2">
      {is_unsending
        ? t('Unsending: {count} so far', { count: formatCount(counts.unsent) })
        : t(
            '{count, plural, one {Unsent from # fan.} other {Unsent from # fans.}} {kept, plural, one {# had read or bought it and keeps it.} other {# had read or bought it and keep it.}}',
            { count: counts.unsent, kept: counts.sent },
          )}
    </p>
  );
}

const shownOf = (attachment: Attachment): PhoneAttachment => ({
  key: attachment.id,
  title: attachment.title ?? attachment.filename ?? t('File'),
  price: attachment.price,
  picture: attachment.thumbnail_url ?? attachment.preview_url,
  description: attachment.description,
  files: bundleOf(attachment),
});

function WhatWasSent({ campaign: { id, variants } }: { campaign: Campaign }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['campaigns', 'one', id] });
  return (
    <Card title={t('What Fans Get')}>
      <div className="flex flex-col gap-4 px-4 pb-4">
        {variants.map(({ content, attachments }, index) => {
          const label = variants.length > 1 ? (VARIANTS[index] ?? '') : t('What Fans Get');
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, only a position
            <div key={index} className="flex flex-col gap-2">
              {variants.length > 1 && <h3 className="text-control font-medium">{label}</h3>}
              <PhonePreview
                label={label}
                content={content === '' ? '' : <MarkedVariables content={content} />}
                attachments={attachments.map(shownOf)}
                refresh={refresh}
              />
            </div>
          );
        })}
      </div>
    </Card>
  );
}
