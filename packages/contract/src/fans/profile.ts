import * as z from 'zod/mini';

/**
 * The fields of a fan's profile: texts that the platform sets, null if unknown. Each is stored in the column of `fans` with the
 * same name. Inputs, replies, SQL queries and row types are derived from this list.
 */
export const PROFILE_FIELDS = [
  'first_name',
  'last_name',
  'username',
  'email',
  'avatar_url',
  /** An IANA name. */
  'timezone',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** Returns an object with `of(field)` for each field. */
export const eachProfileField = <T>(of: (field: ProfileField) => T) =>
  Object.fromEntries(PROFILE_FIELDS.map((field) => [field, of(field)])) as Record<ProfileField, T>;

/** A fan's profile in a reply. Other schemas extend it. */
export const FanProfile = z.object(eachProfileField(() => z.nullable(z.string())));
export type FanProfile = z.infer<typeof FanProfile>;

/** The fields of a fan that lists show: names and picture. Other schemas extend it. */
export const FanCaption = z.pick(FanProfile, {
  first_name: true,
  last_name: true,
  username: true,
  email: true,
  avatar_url: true,
});
