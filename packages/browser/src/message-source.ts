import type { CompiledMessage } from '@lingui/message-utils/compileMessage';

const compiled = new Map<string, CompiledMessage>();

/**
 * Compiles an English text from the clients’ code. Besides words, it can contain only `{name}` and
 * `{count, plural, one {# message} other {# messages}}`. This subset of ICU syntax keeps the full parser out of the first load.
 * Translations are compiled with the full parser at build time.
 */
export function compileSource(text: string): CompiledMessage {
  let message = compiled.get(text);
  if (!message) {
    message = new Source(text).tokens(false);
    compiled.set(text, message);
  }
  return message;
}

class Source {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Parses up to the closing brace. Inside a plural, `#` stands for the count. */
  tokens(isPlural: boolean): CompiledMessage {
    const tokens: CompiledMessage = [];
    let words = '';
    const endWords = () => {
      if (words !== '') tokens.push(words);
      words = '';
    };
    while (this.at < this.text.length && this.text[this.at] !== '}') {
      const character = this.text[this.at++];
      if (character === '{') {
        endWords();
        tokens.push(this.placeholder());
      } else if (character === '#' && isPlural) {
        endWords();
        tokens.push('#');
      } else words += character;
    }
    endWords();
    return tokens;
  }

  private placeholder(): Exclude<CompiledMessage[number], string> {
    const name = this.until(/[,}]/).trim();
    if (this.text[this.at++] === '}') return [name];
    const kind = this.until(/,/).trim();
    this.at++;
    const cases: Record<string, CompiledMessage> = {};
    for (;;) {
      // Lingui looks up the case for `=0` by the number.
      const choice = this.until(/[{}]/).trim().replace(/^=/, '');
      const isEnd = this.text[this.at++] !== '{';
      if (isEnd) return [name, kind, cases];
      cases[choice] = this.tokens(true);
      this.at++;
    }
  }

  private until(end: RegExp): string {
    const from = this.at;
    while (this.at < this.text.length && !end.test(this.text[this.at] ?? '')) this.at++;
    return this.text.slice(from, this.at);
  }
}
