import { readConfig } from './config.ts';
import { openBeside } from './installation.ts';
import { verifyLedger } from './selling/earnings/verify-ledger.ts';

const USAGE = `Checks the ledger of earnings.

  npm run ledger -- verify

Walks the chain of hashes from the first line and names the first line that was tampered with; then checks the rules, the closed
periods and the pay slips. Uses the database in the server's settings (DATA_DIR or DATABASE_URL), whether or not the server is
running.

Exit codes: 0 intact, 1 tampered with or unreadable, 2 wrong usage
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command === '--help' || command === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (command !== 'verify' || rest.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const { db, close } = await openBeside(readConfig());
  try {
    const { lines, broken } = await verifyLedger(db);
    if (broken === null) {
      console.log(`The ledger is intact: ${lines} ${lines === 1 ? 'line' : 'lines'}.`);
      return 0;
    }
    console.error(`${broken.what} was tampered with: ${broken.reason}.`);
    return 1;
  } finally {
    await close();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
