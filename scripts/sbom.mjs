// `npm run sbom`: writes a CycloneDX bill of materials: every package with its version and hash.
//   npm run sbom -- FILE        writes to FILE instead of sbom.json
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from './lib/run.mjs';
import { makeSbom } from './lib/supply-chain.mjs';

async function main() {
  const file = path.resolve(process.argv[2] ?? 'sbom.json');
  const sbom = await makeSbom();
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${file} lists ${sbom.components.length} packages`);
}

await main().catch(fail);
