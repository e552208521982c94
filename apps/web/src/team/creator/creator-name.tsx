import {
  CREATOR_NAME_MAX_CHARS,
  type CreatorProfile,
  updateCreator,
} from '@stagedoor/contract/team/creator';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { creatorOptions } from './queries.ts';

/** The name that fans see, and the form to change it. */
export function CreatorName({ creator }: { creator: CreatorProfile | undefined }) {
  const client = useQueryClient();
  /** The edited name; null while it is only shown. */
  const [draft, setDraft] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (display_name: string) =>
      (await call(updateCreator, { body: { display_name } })).data,
    onSuccess: (profile) => {
      client.setQueryData(creatorOptions.queryKey, profile);
      setDraft(null);
    },
  });
  if (draft === null) {
    return (
      <span className="flex max-w-full items-center gap-1">
        <span dir="auto" className="truncate font-medium">
          {creator?.display_name ?? '–'}
        </span>
        <IconButton
          label={t('Edit Name')}
          disabled={creator === undefined}
          onClick={() => {
            save.reset();
            setDraft(creator?.display_name ?? '');
          }}
          className="-my-1.5"
        >
          <Pencil aria-hidden="true" size={14} strokeWidth={1.75} />
        </IconButton>
      </span>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(draft.trim());
  };
  return (
    <form noValidate onSubmit={submit} className="mb-1 flex w-full max-w-72 flex-col gap-2">
      <TextField
        label={t('Name')}
        autoComplete="off"
        autoFocus
        maxLength={CREATOR_NAME_MAX_CHARS}
        value={draft}
        readOnly={save.isPending}
        error={save.error && errorText(save.error, t('Couldn’t change the name'))}
        onChange={(event) => setDraft(event.target.value)}
      />
      <span className="flex gap-2">
        <Button
          variant="primary"
          type="submit"
          busy={save.isPending}
          disabled={draft.trim() === ''}
        >
          {t('Save')}
        </Button>
        <Button onClick={() => setDraft(null)} disabled={save.isPending}>
          {t('Cancel')}
        </Button>
      </span>
      {draft !== creator?.display_name && (
        <DiscardQuestion form="creator-name" text={t('The creator’s new name isn’t saved yet.')} />
      )}
    </form>
  );
}
