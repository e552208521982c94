import { type CreatorProfile, updateAvatar, uploadAvatar } from '@stagedoor/contract/team/creator';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';
import { type Crop, NO_IMAGE, objectionTo, WHOLE } from './crop.ts';
import { squareFile } from './draw.ts';
import { creatorOptions } from './queries.ts';

/** How long the card shows that the picture was saved. */
const RESET_MS = 2_000;

interface Chosen {
  picture: ImageBitmap;
  type: string;
}

/** Manages a new creator picture: choosing, cropping and saving. */
export function usePicture(creatorId: string | undefined) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [crop, setCrop] = useState<Crop>(WHOLE);
  const [objection, setObjection] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (taken: Chosen) => {
      if (creatorId === undefined) throw new Error(t('Failed to save profile picture'));
      return savePicture(creatorId, await squareFile(taken.picture, crop, taken.type));
    },
    onSuccess: (profile) => client.setQueryData(creatorOptions.queryKey, profile),
  });
  const { isSuccess, reset } = save;
  useEffect(() => () => chosen?.picture.close(), [chosen]);
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(() => {
      reset();
      setChosen(null);
    }, RESET_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, reset]);

  const cancel = () => {
    reset();
    setObjection(null);
    setChosen(null);
  };
  const choose = async (file: File) => {
    cancel();
    const refused = objectionTo(file);
    if (refused !== null) return setObjection(refused);
    try {
      const picture = await createImageBitmap(file);
      setCrop(WHOLE);
      setChosen({ picture, type: file.type });
    } catch {
      // The file claims to be an image but can't be decoded.
      setObjection(NO_IMAGE);
    }
  };
  return {
    chosen: chosen?.picture ?? null,
    crop,
    setCrop,
    choose,
    cancel,
    save: () => {
      if (chosen && !save.isPending) save.mutate(chosen);
    },
    isSaving: save.isPending,
    isSaved: isSuccess,
    errorText: objection ?? save.error?.message ?? null,
  };
}

/** The error texts of the two steps, for when the server refuses without a text (`refused`) or doesn't reply (`unanswered`). */
const UPLOAD_TEXTS = { refused: t('Upload failed'), unanswered: t('Failed to upload avatar') };
const LINK_TEXTS = {
  refused: t('Failed to update profile with avatar'),
  unanswered: t('Failed to save profile picture'),
};

async function withErrorText<T>(texts: typeof UPLOAD_TEXTS, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const hasAnswer = error instanceof ApiError && error.status !== 0;
    throw new Error(errorText(error, hasAnswer ? texts.refused : texts.unanswered), {
      cause: error,
    });
  }
}

/** The upload's reply, in which the key may be nested. */
interface UploadReply {
  avatar?: { s3_key?: string };
  s3_key?: string;
}

/**
 * Uploads a picture and sets it as the creator's. Both calls are authenticated by the sign-in cookie.
 * @throws Error with a message for the user
 */
async function savePicture(userId: string, picture: File): Promise<CreatorProfile> {
  const form = new FormData();
  form.set('userId', userId);
  form.set('avatar', picture);
  const reply: UploadReply = await withErrorText(UPLOAD_TEXTS, upload(uploadAvatar, form));
  const avatarUrl = reply.avatar?.s3_key ?? reply.s3_key;
  if (!avatarUrl) throw new Error(t('No avatar S3 key returned from upload'));
  return (await withErrorText(LINK_TEXTS, call(updateAvatar, { body: { userId, avatarUrl } })))
    .data;
}
