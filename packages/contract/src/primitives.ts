import * as z from 'zod/mini';
import { EMAIL_MAX_CHARS, EMAIL_PATTERN } from './email-address.ts';

/**
 * The names and descriptions of schemas in the API documentation. Not in zod's global registry, because two copies of the
 * contract in one process (the server's and the platform client's) would share that registry, and zod rejects duplicate names.
 */
export const schemaNames = z.registry<{ id?: string; description?: string }>();

/** Declares an object schema that the API documentation lists under a name. */
export const namedObject = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.object(shape).register(schemaNames, { id });

/** Declares a reply with these fields under `data`. */
export const dataOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object({ data: z.object(shape) });

/** Declares a reply with a page of these items. `next_cursor` is null on the last page. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.nullable(z.string()) });

const sentences = new Set<string>();

/** Marks a field's error as a full sentence that makes sense without the field's name. @returns the same text */
export function sentence(text: string): string {
  sentences.add(text);
  return text;
}

/** Checks whether a text was marked by {@link sentence}. */
export const isSentence = (text: string): boolean => sentences.has(text);

/** Replaces lone surrogates, which truncation can leave behind, with U+FFFD: UTF-8 and PostgreSQL's JSON don't allow them. */
const wholeCharacters = () =>
  z.overwrite<string>((value) => value.replaceAll(/\p{Cs}/gu, '\ufffd'));

/**
 * Returns a schema for text of 0 to `max` UTF-16 units. PostgreSQL can't store NUL, so NUL is refused here with a field error
 * instead of failing in a query.
 */
export const text = (max: number) =>
  z.string().check(
    wholeCharacters(),
    z.maxLength(max),
    z.refine((value) => !value.includes('\0'), 'Must not contain NUL'),
  );

/** Returns a schema like {@link text}, but trimmed and not empty. @param missing the error for empty text, a full sentence */
export const requiredText = (max: number, missing = 'Please fill in this field') =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .check(
      wholeCharacters(),
      z.trim(),
      z.minLength(1, sentence(missing)),
      z.maxLength(max),
      z.refine((value) => !value.includes('\0'), 'Must not contain NUL'),
    );

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An id in a request. Any short text is accepted: a malformed id gets the same 404 as an unknown one, so the reply
 * reveals nothing about the format. A UUID is changed to lower case, the form in which PostgreSQL returns it.
 */
export const lookupId = text(128).check(
  z.overwrite((value) => (UUID.test(value) ? value.toLowerCase() : value)),
);

/** The path parameters of a call on one item. */
export const byId = z.object({ id: lookupId });

/** The version that the caller's change is based on. Without it, the change overwrites what is stored. */
export const basedOn = z.optional(z.int().check(z.gte(0)));

/** An ISO 8601 instant in UTC with milliseconds, for example `2026-11-21T14:02:09.120Z`. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** An ISO 8601 instant in a request, in any zone. The year must fit both PostgreSQL and an ISO timestamp. */
export const instant = z.iso
  .datetime({ offset: true, abort: true })
  .check(
    z.refine(
      (value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(10_000, 0),
      'Must be in the years 1970 to 9999',
    ),
  );

/** A color written `#rrggbb`. Nothing else may reach a style attribute. */
export const hexColor = z
  .string()
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color in the form #rrggbb'));

/** An email address, normalized for storage and comparison: trimmed, lower case, at most 254 characters (RFC 5321). */
export const emailAddress = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(EMAIL_MAX_CHARS),
    z.email({ pattern: EMAIL_PATTERN, error: sentence('Please enter a valid email address') }),
  );

/** An IANA time zone name known to this runtime, for example `Europe/Lisbon`. */
export const timeZone = z
  .string()
  .check(z.maxLength(64), z.refine(isTimeZone, 'Must be an IANA time zone'));

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    // Intl also accepts offsets such as `+02:00`, which aren't zone names.
    return /^[A-Za-z]/.test(value);
  } catch {
    return false;
  }
}

const NO_PRICE = sentence('Please enter a valid price');

/** A price in USD: 0.01 to 1,000,000, with at most two decimals. Stored as whole cents. */
export const priceUsd = z.number(NO_PRICE).check(
  z.gte(0.01, NO_PRICE),
  z.lte(1_000_000, NO_PRICE),
  // Tolerates floating-point error: 0.1 + 0.2 counts as 0.30.
  z.refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, NO_PRICE),
);
