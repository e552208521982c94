/**
 * Replaces the schema library in the browser, which needs only the schemas' types, because the server validates all input.
 * This keeps ten kilobytes of unused code, and code that needs `eval`, out of the first load. Any schema can still be
 * declared, but parsing throws.
 */
const schema: unknown = new Proxy(() => undefined, {
  get: (_, name) => {
    if (name === 'parse' || name === 'safeParse')
      throw new Error('Schemas are not available in the browser');
    return schema;
  },
  apply: () => schema,
});

export { schema };
