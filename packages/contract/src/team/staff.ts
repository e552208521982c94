import * as z from 'zod/mini';
import { hexColor } from '../primitives.ts';

/** An admin as teammates see them. Fans never see this. */
export const StaffMember = z
  .object({ id: z.string(), codename: z.string(), display_color: hexColor })
  .check(z.meta({ id: 'StaffMember' }));
export type StaffMember = z.infer<typeof StaffMember>;
