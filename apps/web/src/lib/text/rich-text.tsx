import { Fragment, type ReactNode } from 'react';
import { t } from './i18n.ts';

/** Around a placeholder's name, where its element goes; no text has these characters. */
const MARK = '\u0001';

/**
 * A text with elements in it: `rich('Press {key} to search', { key: <Kbd>/</Kbd> })`. Where in
 * the sentence they stand is each language's own choice. `values` are as of {@link t}.
 */
export function rich(
  text: string,
  elements: Readonly<Record<string, ReactNode>>,
  values: Readonly<Record<string, string | number>> = {},
): ReactNode {
  const marked = Object.keys(elements).map((name) => [name, `${MARK}${name}${MARK}`]);
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll(MARK, '') : value,
  ]);
  return t(text, Object.fromEntries([...plain, ...marked]))
    .split(MARK)
    .map((part, index) => {
      const isElement = index % 2 === 1;
      // The parts of a text stay in their order for as long as it is shown.
      // biome-ignore lint/suspicious/noArrayIndexKey: there is nothing else to tell them apart by
      return <Fragment key={index}>{isElement ? elements[part] : part}</Fragment>;
    });
}
