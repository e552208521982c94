const PLAIN_EVERY_MS = 5_000;

/** Shows progress: in one updating line on a terminal, in plain lines elsewhere. */
export interface Progress {
  /** Shows a line that the next one replaces. */
  now(text: string): void;
  /** Prints a line that stays. */
  done(text: string): void;
}

export function showProgress(out: NodeJS.WriteStream): Progress {
  let lastPlain = 0;
  const clear = () => out.write('\r\x1b[2K');
  return {
    now(text) {
      if (out.isTTY) {
        clear();
        out.write(text.slice(0, out.columns - 1));
      } else if (Date.now() - lastPlain >= PLAIN_EVERY_MS) {
        lastPlain = Date.now();
        out.write(`${text}\n`);
      }
    },
    done(text) {
      if (out.isTTY) clear();
      out.write(`${text}\n`);
    },
  };
}
