// `npm run build`: what `npm start` builds, whether or not it has changed.
import { prepare } from './lib/prepare.mjs';
import { fail } from './lib/run.mjs';

await prepare({ force: true }).catch(fail);
