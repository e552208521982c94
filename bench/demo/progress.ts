const PLAIN_EVERY_MS = 5_000;

/** Says what goes on: in one line that renews itself on a terminal, in plain lines elsewhere. */
export interface Progress {
  /** A line that replaces the one before. */
  now(text: string): void;
  /** A line that stays. */
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
