import * as z from 'zod/mini';
import { hexColor, namedObject } from '../primitives.ts';

/** An admin as teammates see them. Fans never see this. */
export const StaffMember = namedObject('StaffMember', {
  id: z.string(),
  codename: z.string(),
  display_color: hexColor,
});
export type StaffMember = z.infer<typeof StaffMember>;
