/**
 * Stands in for the schema library in the browser, where the contract's schemas serve as types only: the server checks
 * what comes in. Ten kilobytes of checks that would never run stay out of the first load, and so does code that needs
 * `eval`. Any schema can be declared with it; asking one for a verdict fails loudly.
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
