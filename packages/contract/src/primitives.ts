import * as z from 'zod/mini';

/**
 * Text that a person typed or a platform sent: 0 to `max` UTF-16 units. NUL is refused because PostgreSQL can't store it,
 * so that it fails as a field error and not inside a query.
 */
export const text = (max: number) =>
  z.string().check(
    z.maxLength(max),
    z.refine((value) => !value.includes('\0'), 'Must not contain NUL'),
  );

/** As {@link text}, trimmed, and with at least one character left. */
export const requiredText = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, 'Please fill this in'),
    z.maxLength(max),
    z.refine((value) => !value.includes('\0'), 'Must not contain NUL'),
  );

/**
 * An id in a request. Any short text is well-formed: an id of another shape is simply not found (404), which tells a
 * caller no more than an unknown one does.
 */
export const lookupId = text(128);

/** An instant as an ISO 8601 text in UTC with milliseconds, for example `2026-11-21T14:02:09.120Z`. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** A colour as `#rrggbb`; nothing else may reach a style attribute. */
export const hexColor = z
  .string()
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour written #rrggbb'));

/** An e-mail address as it is stored and compared: trimmed and in lower case, at most 254 characters (RFC 5321). */
export const emailAddress = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254),
    z.email('Please enter a valid email address'),
  );

/** An IANA time zone name that this runtime knows, for example `Europe/Lisbon`. */
export const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'Must be an IANA time zone'));

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    // Offsets such as `+02:00` are accepted by Intl but are no zone names.
    return /^[A-Za-z]/.test(value);
  } catch {
    return false;
  }
}
