import { rich } from '@stagedoor/browser/rich-text';
import { type EntryFields, type NameOf, type Sentence, textOf } from './action-texts.ts';

type Values = Readonly<Record<string, string | number>>;

/** Returns a sentence with the actor, the shared values and those of `more`. The text must be a literal, as in `t`. */
export const phrase =
  (text: string, more?: (entry: EntryFields, nameOf: NameOf) => Values): Sentence =>
  ({ actor, values, entry, nameOf }) =>
    rich(text, { actor }, { ...values, ...more?.(entry, nameOf) });

/** Returns the sentence `yes` for the entries that pass a test, `no` for the others. */
export const when =
  (test: (entry: EntryFields) => boolean, yes: Sentence, no: Sentence): Sentence =>
  (context) =>
    (test(context.entry) ? yes : no)(context);

/** Returns the sentence `named` for the entries with a target's name, `unnamed` for the others. */
export const ifNamed = (named: Sentence, unnamed: Sentence) =>
  when(({ target_label }) => target_label !== null, named, unnamed);

/** Returns the details with these names as a phrase's values. */
export const textsOf =
  (...names: readonly string[]) =>
  (entry: EntryFields): Values =>
    Object.fromEntries(names.map((name) => [name, textOf(entry.details[name])]));
