import { acceptFiles } from '@stagedoor/browser/file-rules';
import { type Campaign, uploadCampaignFiles } from '@stagedoor/contract/selling/campaigns';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';
import { recheckAdmin } from '../../team/auth/queries.ts';
import {
  bodyOf,
  type CampaignErrors,
  type CampaignValues,
  errorsOf,
  type FormVariant,
  valuesOf,
} from './form-values.ts';
import { keptForms } from './kept-forms.ts';
import { draftIn, putCampaign, saveCampaign } from './queries.ts';

/** The form fields of a campaign's only message, keyed by the field names in the server's errors. */
const FIRST_MESSAGE: Readonly<Record<string, string>> = {
  content: 'variants.0.content',
  price: 'variants.0.attachments',
  attachments: 'variants.0.attachments',
};

interface FormOptions {
  /** Null for a new campaign. */
  campaign: Campaign | null;
  teamZone: string;
}

interface Uploading {
  variant: number;
  progress: number;
}

/** Manages a campaign's form. The browser stores unsaved input, which a teammate's newer version doesn't overwrite. */
export function useCampaignForm({ campaign, teamZone }: FormOptions) {
  const client = useQueryClient();
  const key = campaign?.id ?? 'new';
  const [kept] = useState(() => keptForms.read(key));
  const [values, setValues] = useState<CampaignValues>(() => kept ?? valuesOf(campaign, teamZone));
  /** The version that the values are based on. */
  const [version, setVersion] = useState(kept?.version ?? campaign?.version ?? 0);
  const base = useRef(version);
  const rebase = (to: number) => {
    base.current = to;
    setVersion(to);
  };
  const isNewer = campaign !== null && campaign.version > version;
  // A ref to the latest values, so that a finished upload or save does not discard what was typed during it.
  const latest = useRef(values);
  const [errors, setErrors] = useState<CampaignErrors>({});
  const [isDirty, setDirty] = useState(kept !== null);
  const [uploading, setUploading] = useState<Uploading | null>(null);
  const [uploads] = useState(() => new AbortController());
  useEffect(() => () => uploads.abort(), [uploads]);
  const save = useMutation({
    mutationFn: ({ typed, over }: { typed: CampaignValues; over: number }) =>
      saveCampaign(campaign && { id: campaign.id, version: over }, bodyOf(typed, teamZone)),
    onSuccess: (saved, { typed }) => {
      keptForms.write(key, null);
      rebase(saved.version);
      // Keeps input typed during the save. A new campaign's draft opens in another form, which restores that input.
      if (latest.current === typed) setDirty(false);
      else keptForms.write(saved.id, { ...latest.current, version: saved.version });
      putCampaign(client, saved);
      void client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const stored = draftIn(error);
      if (stored) putCampaign(client, stored);
      if (error.status === 403) recheckAdmin(client);
      setErrors(placed(error.fields, values.variants.length > 1));
    },
  });
  function show(stored: Campaign | null): void {
    latest.current = valuesOf(stored, teamZone);
    setValues(latest.current);
    rebase(stored?.version ?? 0);
    setErrors({});
    setDirty(false);
    save.reset();
  }
  // Without unsaved input, changes made elsewhere show at once.
  useEffect(() => {
    if (isNewer && !isDirty) show(campaign);
  });
  function change(part: Partial<CampaignValues>): void {
    const next = { ...latest.current, ...part };
    latest.current = next;
    setValues(next);
    keptForms.write(key, { ...next, version: base.current });
    setDirty(true);
    setErrors({});
    if (save.isError) save.reset();
  }
  function changeVariant(at: number, part: (held: FormVariant) => Partial<FormVariant>): void {
    const { variants } = latest.current;
    change({
      variants: variants.map((held, index) => (index === at ? { ...held, ...part(held) } : held)),
    });
  }
  /** Uploads files as soon as they are chosen, so that they survive a reload like the text. */
  async function addFiles(variant: number, chosen: readonly File[]): Promise<void> {
    const held = latest.current.variants[variant];
    if (held === undefined || uploading !== null) return;
    const { accepted, objections } = acceptFiles(held.files.length + held.offers.length, chosen);
    const field = `variants.${variant}.attachments`;
    setErrors(objections.length > 0 ? { [field]: objections.join(' ') } : {});
    if (accepted.length === 0) return;
    const form = new FormData();
    for (const file of accepted) form.append('files', file);
    setUploading({ variant, progress: 0 });
    try {
      const { attachments } = await upload(uploadCampaignFiles, form, {
        signal: uploads.signal,
        onProgress: (progress) => setUploading({ variant, progress }),
      });
      changeVariant(variant, ({ files }) => ({ files: [...files, ...attachments] }));
    } catch (error) {
      if (uploads.signal.aborted) return;
      console.error('Failed to upload files of a campaign', error);
      setErrors({
        [field]: errorText(error, t('Failed to upload files. Please try again.')),
      });
    } finally {
      setUploading(null);
    }
  }
  return {
    values,
    errors,
    isDirty,
    /** Whether the form began with unsaved values from an earlier visit. */
    isRestored: kept !== null && isDirty && !isNewer,
    /** Whether unsaved input is based on an outdated version. */
    isStale: isDirty && isNewer && !save.isPending,
    isSaving: save.isPending,
    /** An error that belongs to no field. */
    failure: save.isError && !isNewer && Object.keys(errors).length === 0 ? save.error : null,
    change,
    changeVariant,
    addFiles,
    /** The message whose files are being uploaded, and the uploaded fraction, 0 to 1. */
    uploading,
    /** Discards unsaved input. */
    discard() {
      keptForms.write(key, null);
      show(campaign);
    },
    /**
     * Saves the form, which overwrites the given version.
     * @returns the campaign's id, and whether nothing was typed since; null if it was not saved
     */
    async submit(over = version): Promise<{ id: string; isLatest: boolean } | null> {
      if (save.isPending || uploading !== null) return null;
      const typed = latest.current;
      const wrong = errorsOf(typed, teamZone);
      setErrors(wrong);
      if (Object.keys(wrong).length > 0) return null;
      if (campaign !== null && !isDirty) return { id: campaign.id, isLatest: true };
      const saved = await save.mutateAsync({ typed, over }).catch(() => null);
      return saved && { id: saved.id, isLatest: latest.current === typed };
    },
  };
}

export type CampaignForm = ReturnType<typeof useCampaignForm>;

/** Returns the errors by form field. With two messages, omits message errors: the server doesn't say which message is wrong. */
function placed(fields: CampaignErrors, hasTwo: boolean): CampaignErrors {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, problem]) => {
      const known = FIRST_MESSAGE[field];
      return known === undefined ? [[field, problem]] : hasTwo ? [] : [[known, problem]];
    }),
  );
}
