import { createElement, Fragment, type ReactNode } from 'react';
import { t } from './i18n.ts';

/** Marks both ends of an element's placeholder. No text contains this character. */
const MARK = '\u0001';

/**
 * Returns a text with elements in it: `rich('Press {key} to search', { key: <Kbd>/</Kbd> })`. Each translation decides where the
 * elements go. `values` fill the other braces, as in {@link t}.
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
    .map((part, index) =>
      // Every second part is an element's name. The index works as the key because the parts never change their order.
      createElement(Fragment, { key: index }, index % 2 === 1 ? elements[part] : part),
    );
}
