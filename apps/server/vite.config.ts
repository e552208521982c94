import { defineConfig } from 'vite';

const conditions = ['source', 'node', 'development'];

// `npm run dev` only: one file that Node starts quickly, at the same depth as `dist`. What is released is built by tsc.
export default defineConfig({
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
