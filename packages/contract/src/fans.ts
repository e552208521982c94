import * as z from 'zod/mini';
import { hexColor } from './primitives.ts';

/** A tag on a fan. Local tags carry their own label and colour; those of the shared library follow it. */
export const FanTag = z
  .object({
    id: z.string(),
    label: z.string(),
    /** Null where none was chosen: the client derives one from the label. */
    color: z.nullable(hexColor),
    isGlobal: z.boolean(),
    globalTagId: z.nullable(z.string()),
  })
  .check(z.meta({ id: 'FanTag' }));
export type FanTag = z.infer<typeof FanTag>;

/** A fan as staff see them. */
export const Fan = z
  .object({
    id: z.string(),
    /** The platform's own id for the fan. */
    external_id: z.string(),
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    username: z.nullable(z.string()),
    email: z.nullable(z.string()),
    avatar_url: z.nullable(z.string()),
    /** IANA name; null where the platform does not know it. */
    timezone: z.nullable(z.string()),
    admin_tags: z.array(FanTag),
  })
  .check(z.meta({ id: 'Fan' }));
export type Fan = z.infer<typeof Fan>;
