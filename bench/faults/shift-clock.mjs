// Loaded into a server before its program: shifts the clock that it sees by what a file says, in milliseconds, from the
// moment it says so. Timers keep their pace, as they do when a machine's clock is set.
import { readFileSync } from 'node:fs';

const LOOK_MS = 25;
const TrueDate = Date;
let shift = 0;

function look() {
  shift = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'));
}

look();
setInterval(look, LOOK_MS).unref();

globalThis.Date = class ShiftedDate extends TrueDate {
  constructor(...parts) {
    if (parts.length === 0) super(TrueDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return TrueDate.now() + shift;
  }
};
