import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Compiles a language's texts, keyed by the English text, at build time, so that they need no parser at run time. */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    enforce: 'pre',
    transform: {
      filter: { id: /\/locales\/[a-z]+\.json$/ },
      handler(code) {
        const texts = Object.entries(JSON.parse(code) as Record<string, string>);
        const messages = texts.map(([text, translation]) => [text, compileMessage(translation)]);
        return {
          code: `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(messages)))});`,
          moduleType: 'js',
          map: null,
        };
      },
    },
  };
}
