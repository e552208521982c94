import { initialOf } from '@stagedoor/browser/initial-of';
import {
  AVATAR_TYPES,
  CREATOR_NAME_MAX_CHARS,
  type CreatorProfile,
  updateCreator,
} from '@stagedoor/contract/team/creator';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, ImageUp, Pencil } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { PictureCropper } from './picture-cropper.tsx';
import { creatorOptions } from './queries.ts';
import { usePicture } from './use-picture.ts';

/** The creator's current picture, and the form to replace it. */
export function PictureCard() {
  const { data: creator } = useQuery(creatorOptions);
  const picture = usePicture(creator?.id);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const { chosen, isSaving, isSaved } = picture;
  const isCropping = chosen !== null && !isSaved;
  const wasCropping = useRef(isCropping);
  useEffect(() => {
    if (isCropping === wasCropping.current) return;
    wasCropping.current = isCropping;
    // The focused element was removed when the card's content changed.
    if (isCropping) card.current?.querySelector<HTMLElement>('[role="application"]')?.focus();
    else if (document.activeElement === document.body) opener.current?.focus();
  }, [isCropping]);
  return (
    <Card title={t('Profile Picture')} className="flex flex-col">
      <div ref={card} className="flex flex-1 flex-col justify-center gap-4 px-4 pb-4">
        {isCropping ? (
          <>
            <PictureCropper
              picture={chosen}
              crop={picture.crop}
              onChange={picture.setCrop}
              disabled={isSaving}
            />
            {picture.errorText !== null && <ErrorBox text={picture.errorText} />}
            <div className="flex gap-2">
              <Button
                variant="primary"
                onClick={picture.save}
                busy={isSaving}
                disabled={creator === undefined}
              >
                {t('Save')}
              </Button>
              <Button onClick={picture.cancel} disabled={isSaving}>
                {t('Cancel')}
              </Button>
            </div>
            <DiscardQuestion form="picture" text={t('Your picture isn’t saved yet.')} />
          </>
        ) : (
          <>
            <div className="flex flex-wrap items-center gap-4 lg:min-h-31">
              <Portrait
                key={creator?.avatar_url}
                url={creator?.avatar_url ?? null}
                name={creator?.display_name ?? ''}
              />
              <div className="flex min-w-[min(100%,10rem)] flex-1 flex-col items-start gap-2">
                <div className="flex w-full flex-col">
                  <CreatorName creator={creator} />
                  <p className="text-meta text-fg-3">{t('Fans see this picture and name.')}</p>
                </div>
                <Button ref={opener} onClick={() => input.current?.click()} icon={<ImageUp />}>
                  {t('Choose Picture')}
                </Button>
              </div>
            </div>
            {picture.errorText !== null && <ErrorBox text={picture.errorText} />}
            {isSaved && (
              <p role="status" className="flex items-start gap-2 text-control text-good">
                <CircleCheck className="mt-0.5" />
                {t('Profile picture updated successfully! Refresh to see changes.')}
              </p>
            )}
          </>
        )}
        <FilePicker
          ref={input}
          accept={AVATAR_TYPES.join(',')}
          onFiles={([file]) => {
            if (file) void picture.choose(file);
          }}
        />
      </div>
    </Card>
  );
}

function Portrait({ url, name }: { url: string | null; name: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (url !== null && !hasFailed) {
    return (
      <img
        src={url}
        alt={t('How fans see {name}', { name })}
        width={104}
        height={104}
        onError={() => setFailed(true)}
        className="size-26 shrink-0 rounded-full bg-surface-2 object-cover"
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-26 shrink-0 items-center justify-center rounded-full bg-selected text-[36px] font-semibold text-accent-text"
    >
      {initialOf(name)}
    </span>
  );
}

function CreatorName({ creator }: { creator: CreatorProfile | undefined }) {
  const client = useQueryClient();
  /** The edited name; null while it is not being edited. */
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
          icon={<Pencil size={14} />}
        />
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
