import { defineConfig } from 'vite';

// Bundles the parts of the contract that the client uses, so that its users need only the built files.
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
