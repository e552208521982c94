import { defineConfig } from 'vite';

// Contains the parts of the contract that it uses, so that others need only these files.
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { client: 'src/client.ts', webhooks: 'src/webhooks.ts' },
      output: { chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true },
});
