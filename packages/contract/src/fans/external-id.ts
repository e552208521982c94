import * as z from 'zod/mini';

export const fanExternalId = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9._:-]{1,128}$/, 'Must be 1 to 128 letters A-Z or a-z, digits, . _ : or -'),
  );
