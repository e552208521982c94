import { type CreatorProfile, updateAvatar, uploadAvatar } from '@stagedoor/contract/team/creator';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';

/** The error texts of the two steps, used if the server gives none: for refusals, and for missing replies. */
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
export async function savePicture(userId: string, picture: File): Promise<CreatorProfile> {
  const form = new FormData();
  form.set('userId', userId);
  form.set('avatar', picture);
  const reply: UploadReply = await withErrorText(UPLOAD_TEXTS, upload(uploadAvatar, form));
  const avatarUrl = reply.avatar?.s3_key ?? reply.s3_key;
  if (!avatarUrl) throw new Error(t('No avatar S3 key returned from upload'));
  return (await withErrorText(LINK_TEXTS, call(updateAvatar, { body: { userId, avatarUrl } })))
    .data;
}
