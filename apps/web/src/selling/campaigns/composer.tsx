import { CAMPAIGN_NAME_MAX_CHARS, type Campaign } from '@stagedoor/contract/selling/campaigns';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useRef } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { EditConflict } from '../../ui/form/edit-conflict.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { AudienceFields } from './audience-fields.tsx';
import { AudienceWords } from './audience-words.tsx';
import { Beginning } from './campaign-progress.tsx';
import { NEW_VARIANT } from './form-values.ts';
import { offersOf, SendQuestion } from './send-question.tsx';
import { SidePreview, usePreview } from './side-preview.tsx';
import { Summary } from './summary.tsx';
import { TimingFields } from './timing-fields.tsx';
import { type CampaignForm, useCampaignForm } from './use-campaign-form.ts';
import { VariantFields } from './variant-fields.tsx';
import { VARIANTS } from './words.ts';

interface ComposerProps {
  /** A draft; null for a new campaign. */
  campaign: Campaign | null;
  /** The team's time zone. */
  teamZone: string;
  /** Whether to ask for confirmation to send the draft as soon as it opens. */
  isAsking: boolean;
  /** Shows a saved draft. @param asks whether to ask for confirmation to send it */
  onSaved: (id: string, asks: boolean) => void;
  onStarted: (id: string) => void;
}

/** The form for a mass message, beside its preview. */
export function Composer(props: ComposerProps) {
  const { campaign, teamZone, isAsking, onSaved, onStarted } = props;
  const form = useCampaignForm({ campaign, teamZone });
  const { values, errors } = form;
  const preview = usePreview(values, teamZone);
  const element = useRef<HTMLFormElement>(null);
  /** @param over the version to overwrite; by default the version that the edit started from */
  const submit = async (asks: boolean, over?: number) => {
    const saved = await form.submit(over);
    if (saved === null) {
      requestAnimationFrame(() =>
        element.current
          ?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')
          ?.focus(),
      );
      return;
    }
    if (!asks || !saved.isLatest) showToast({ text: t('Draft saved') });
    // An unmounted form means that the admin has left the page. Asks only about the text that was saved.
    if (element.current !== null) onSaved(saved.id, asks && saved.isLatest);
  };
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit(true);
      }}
      className="-mb-8 grid items-start gap-4 **:scroll-mb-32 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-6"
    >
      {form.isRestored && (
        <p
          role="status"
          className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-warn-bg px-3 py-2 text-control text-warn lg:col-span-2"
        >
          {t('Your unsaved changes were restored.')}
          <Button size="small" onClick={form.discard}>
            {t('Discard Changes')}
          </Button>
        </p>
      )}
      <Summary values={values} teamZone={teamZone} preview={preview} />
      <div className="flex min-w-0 flex-col gap-4 lg:gap-6">
        <Card title={t('What Fans Get')}>
          <div className="flex flex-col gap-4 px-4 pb-4">
            <TextField
              label={t('Mass message name, shown to staff only')}
              autoComplete="off"
              maxLength={CAMPAIGN_NAME_MAX_CHARS}
              value={values.name}
              error={errors.name}
              onChange={({ currentTarget: { value } }) => form.change({ name: value })}
            />
            <Variants form={form} />
          </div>
        </Card>
        <Card title={t('Audience')}>
          <div className="px-4 pb-4">
            <AudienceFields form={form} />
          </div>
        </Card>
        <Card title={t('When to Send')}>
          <div className="px-4 pb-4">
            <TimingFields form={form} />
          </div>
        </Card>
      </div>
      <aside
        aria-label={t('Preview')}
        className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-20 lg:gap-6"
      >
        <SidePreview values={values} preview={preview} />
      </aside>
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-2 border-t border-line bg-surface px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] lg:col-span-2 lg:mx-0 lg:rounded-t-card lg:border-x">
        {form.isStale && campaign !== null && (
          <EditConflict
            onMine={() => void submit(false, campaign.version)}
            onTheirs={form.discard}
            isSaving={form.isSaving}
          >
            {[campaign.name, ...campaign.variants.map(({ content }) => content)].join('\n')}
            {offersOf(campaign).map((text) => `\n${text}`)}
            {'\n'}
            <AudienceWords audience={campaign.audience} />
            {campaign.send_at !== null && (
              <>
                {'\n'}
                <Beginning campaign={campaign} />
              </>
            )}
          </EditConflict>
        )}
        {form.failure !== null && (
          <ErrorBox text={errorText(form.failure, t('Couldn’t save the mass message'))} />
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {form.isDirty && (
            <span className="me-auto text-meta text-fg-3 max-md:basis-full">
              {t('Not saved yet. This browser keeps your input.')}
            </span>
          )}
          <Button
            busy={form.isSaving}
            disabled={form.uploading !== null}
            onClick={() => void submit(false)}
          >
            {t('Save Draft')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={form.isSaving}
            disabled={form.uploading !== null}
          >
            {values.timing === 'now' ? t('Review and Send...') : t('Review and Schedule...')}
          </Button>
        </div>
      </div>
      {isAsking && campaign !== null && (
        <SendQuestion
          campaign={campaign}
          onStarted={() => onStarted(campaign.id)}
          onClose={() => onSaved(campaign.id, false)}
        />
      )}
    </form>
  );
}

/** One message, or two that are compared. */
function Variants({ form }: { form: CampaignForm }) {
  const { values, errors, change } = form;
  const [first] = values.variants;
  if (values.variants.length === 1)
    return (
      <VariantFields
        form={form}
        index={0}
        action={
          <Button
            icon={<Plus />}
            onClick={() => change({ variants: [first ?? NEW_VARIANT, NEW_VARIANT] })}
          >
            {t('Compare with a Second Message')}
          </Button>
        }
      />
    );
  return (
    <>
      {values.variants.map((_, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id, only a position
          key={index}
          className="min-w-0 rounded-control border border-line p-3"
        >
          <legend className="px-1 text-control font-medium">{VARIANTS[index]}</legend>
          <VariantFields
            form={form}
            index={index}
            action={
              <Button
                icon={<X />}
                // An upload finds its variant by position, which removing a variant would change.
                disabled={form.uploading !== null}
                onClick={() =>
                  change({ variants: values.variants.filter((__, at) => at !== index) })
                }
              >
                {index === 0 ? t('Remove Variant A') : t('Remove Variant B')}
              </Button>
            }
          />
        </fieldset>
      ))}
      <div className="md:max-w-60">
        <TextField
          label={t('Share of variant A in percent')}
          inputMode="numeric"
          autoComplete="off"
          value={values.share}
          error={errors.share}
          onChange={({ currentTarget: { value } }) => change({ share: value })}
        />
      </div>
    </>
  );
}
