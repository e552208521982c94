// Preloaded into a server: shifts `Date` by the number of milliseconds in a file, which it polls. As when a machine's clock is
// set, timers are not affected.
import { readFileSync } from 'node:fs';

const POLL_MS = 25;
const TrueDate = Date;
let shift = 0;

function look() {
  shift = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'));
}

look();
setInterval(look, POLL_MS).unref();

globalThis.Date = class ShiftedDate extends TrueDate {
  constructor(...parts) {
    if (parts.length === 0) super(TrueDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return TrueDate.now() + shift;
  }
};
