import { createHmac, timingSafeEqual } from 'node:crypto';
import { MEDIA_URL_SECONDS } from '@stagedoor/contract/media';
import { AppError, linkExpired } from '../errors.ts';

export const MEDIA_PATH = '/api/media';

/** An object as a staff link describes it: everything needed to serve it. */
export interface LinkedFile {
  readonly key: string;
  readonly mime_type: string;
  /** The filename for a download; null if it doesn't matter. */
  readonly filename: string | null;
}

/** Who among staff may use a link: the admin of one session, or everyone who is signed in. */
export type StaffAudience = { readonly sessionId: string } | 'staff';

/** Which part of an attachment a fan's link leads to. */
export type FanVariant = 'file' | 'thumbnail' | 'preview';

/** The target of a fan's link. It contains no storage key: access is checked on every request. */
export interface FanTarget {
  readonly fanId: string;
  /** Null for the fan’s own upload, whose link remains valid once a message contains it. */
  readonly messageId: string | null;
  readonly attachmentId: string;
  /** A file of a product; undefined: the attachment itself. */
  readonly fileId?: string | undefined;
}

/** The content of a link whose signature is valid. */
export type Grant =
  | { readonly to: 'staff'; readonly audience: StaffAudience; readonly file: LinkedFile }
  | { readonly to: 'fan'; readonly target: FanTarget; readonly variant: FanVariant };

/** Creates and reads the signed, short-lived URLs of files. */
export interface MediaLinks {
  forStaff(audience: StaffAudience, file: LinkedFile): string;
  forFan(target: FanTarget, variant: FanVariant): string;
  /**
   * @param token the part after {@link MEDIA_PATH} and a slash
   * @returns the grant, and the seconds for which it remains valid
   * @throws AppError 403 `link_expired` for a token that was altered or has expired
   */
  read(token: string): { grant: Grant; secondsLeft: number };
  /** Returns the object key in a staff URL, even in an expired one; null for any other text. */
  keyOf(url: string): string | null;
}

/**
 * How long a file's URL stays the same, so that browsers can cache it. The old URL then stays valid for as long again. Seconds.
 */
const STEP_SECONDS = MEDIA_URL_SECONDS / 2;

type Payload =
  | readonly [expires: number, 's', sessionId: string | null, ...LinkedFileFields]
  | readonly [
      expires: number,
      'f',
      fan: string,
      message: string | null,
      id: string,
      FanVariant,
      file?: string,
    ];
type LinkedFileFields = readonly [key: string, mime_type: string, filename: string | null];

/** @param now the time in milliseconds */
export function createMediaLinks(key: Buffer, now: () => number = Date.now): MediaLinks {
  const signatureOf = (payload: string) => createHmac('sha256', key).update(payload).digest();
  const expiry = () => (Math.floor(now() / 1000 / STEP_SECONDS) + 2) * STEP_SECONDS;
  const urlOf = (payload: Payload) => {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${MEDIA_PATH}/${text}.${signatureOf(text).toString('base64url')}`;
  };

  /** Returns a token's payload, however old. @throws AppError 403 `link_expired` for an altered token */
  function payloadOf(token: string): Payload {
    const [text = '', signature = '', ...more] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = signatureOf(text);
    // The encoded signature is compared too, because base64url can encode the same bytes in several ways.
    const intact =
      more.length === 0 &&
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      signature === expected.toString('base64url');
    if (!intact) throw linkExpired();
    // The signature is valid, so we created it.
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
  }

  return {
    forStaff: (audience, { key, mime_type, filename }) =>
      urlOf([
        expiry(),
        's',
        audience === 'staff' ? null : audience.sessionId,
        key,
        mime_type,
        filename,
      ]),

    forFan({ fanId, messageId, attachmentId, fileId }, variant) {
      const payload = [expiry(), 'f', fanId, messageId, attachmentId, variant] as const;
      return urlOf(fileId === undefined ? payload : [...payload, fileId]);
    },

    read(token) {
      const payload = payloadOf(token);
      const secondsLeft = Math.floor(payload[0] - now() / 1000);
      if (secondsLeft <= 0) throw linkExpired();
      return { grant: grantOf(payload), secondsLeft };
    },

    keyOf(url) {
      if (!url.startsWith(`${MEDIA_PATH}/`)) return null;
      try {
        const grant = grantOf(payloadOf(url.slice(MEDIA_PATH.length + 1)));
        return grant.to === 'staff' ? grant.file.key : null;
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },
  };
}

function grantOf(payload: Payload): Grant {
  if (payload[1] === 's') {
    const [, , sessionId, key, mime_type, filename] = payload;
    const audience = sessionId === null ? 'staff' : { sessionId };
    return { to: 'staff', audience, file: { key, mime_type, filename } };
  }
  const [, , fanId, messageId, attachmentId, variant, fileId] = payload;
  return { to: 'fan', target: { fanId, messageId, attachmentId, fileId }, variant };
}
