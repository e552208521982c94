import * as z from 'zod/mini';
import { hexColor } from '../primitives.ts';

/** One of the staff, as colleagues see them. A fan never does. */
export const StaffMember = z
  .object({ id: z.string(), codename: z.string(), display_color: hexColor })
  .check(z.meta({ id: 'StaffMember' }));
export type StaffMember = z.infer<typeof StaffMember>;
