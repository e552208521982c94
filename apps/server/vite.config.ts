import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const conditions = ['source', 'node', 'development'];
/** Read at the server's start from beside the program. */
const SEND_SQL = 'src/messaging/messages/send.sql';

// `npm run dev` only: one file that Node starts quickly, at the same depth as `dist`. What is released is built by tsc.
export default defineConfig({
  plugins: [
    {
      name: 'send-sql',
      buildStart() {
        this.addWatchFile(SEND_SQL);
      },
      generateBundle() {
        const source = readFileSync(SEND_SQL);
        this.emitFile({ type: 'asset', fileName: 'send.sql', source });
      },
    },
  ],
  build: {
    ssr: 'src/main.ts',
    outDir: '.dev',
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: { output: { codeSplitting: false } },
  },
  ssr: { resolve: { conditions }, noExternal: [/^@stagedoor\//] },
});
