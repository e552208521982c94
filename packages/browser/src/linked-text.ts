import { createElement, type ReactNode } from 'react';
import { linkify } from './linkify.ts';

/** Returns a text with clickable links. Nothing is fetched before a click. */
export function linkedText(text: string, className: string): ReactNode[] {
  return linkify(text).map(({ text: part, href }, index) => {
    if (href === null) return part;
    // The index works as the key because the parts never change their order.
    const attributes = { key: index, href, target: '_blank', className };
    return createElement('a', { ...attributes, rel: 'noopener noreferrer nofollow' }, part);
  });
}
