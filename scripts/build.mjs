// `npm run build`: builds everything that `npm start` needs, even if it is up to date.
import { prepare } from './lib/prepare.mjs';
import { fail } from './lib/run.mjs';

await prepare({ force: true }).catch(fail);
