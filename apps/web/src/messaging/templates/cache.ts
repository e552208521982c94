import type { Template } from '@stagedoor/contract/messaging/templates';
import { t } from '../../lib/text/i18n.ts';

/**
 * Returns the templates that contain every word of the query in their name, folder, text or product. Those whose name starts with
 * the first word come first, then those whose name contains it.
 */
export function searchTemplates(templates: readonly Template[], query: string): Template[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = templates.filter(({ name, folder, content, product }) => {
    const text = `${name}\n${folder}\n${content}\n${product?.title ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0] ?? '';
  const rank = ({ name }: Template) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(first)) return 0;
    return lower.includes(first) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the templates by folder: those without a folder first, then by folder name. */
export function byFolder(
  templates: readonly Template[],
): { folder: string; templates: readonly Template[] }[] {
  const folders = new Map<string, Template[]>();
  for (const template of templates)
    folders.set(template.folder, [...(folders.get(template.folder) ?? []), template]);
  return [...folders]
    .map(([folder, kept]) => ({ folder, templates: kept }))
    .toSorted((a, b) => a.folder.localeCompare(b.folder, 'en'));
}

/** Returns the label for a number of files. */
export const fileCount = (count: number): string =>
  t('{count, plural, one {# file} other {# files}}', { count });

/** Returns the list with a saved template added or replaced. */
export function withTemplate(templates: readonly Template[], saved: Template): Template[] {
  return templates.some(({ id }) => id === saved.id)
    ? templates.map((held) => (held.id === saved.id ? saved : held))
    : [...templates, saved];
}
