import type { Template } from '@stagedoor/contract/messaging/templates';
import { t } from '../../lib/text/i18n.ts';

/** The templates in whose name, folder or text every word of a search stands, those first whose name begins with it. */
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

/** Templates under the folders that they are kept in: those without one first, then by name. */
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

/** How many files a template has, in words. */
export const fileCount = (count: number): string =>
  t('{count, plural, one {# file} other {# files}}', { count });

/** The list with a template as it was saved. */
export function withTemplate(templates: readonly Template[], saved: Template): Template[] {
  return templates.some(({ id }) => id === saved.id)
    ? templates.map((held) => (held.id === saved.id ? saved : held))
    : [...templates, saved];
}
