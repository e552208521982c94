import { idOf, type Row } from './row.ts';

const TEMPLATES = [
  ['Welcome', 'Hi {first_name}! So glad you’re here. Tell me a bit about yourself?'],
  ['Thank you', 'Thank you so much, {first_name}! That made my day.'],
  ['Back soon', 'I’m off for today, {first_name}, but I’ll write back tomorrow. Promise!'],
] as const;

/** Returns shared templates. @param makerId the admin who created them */
export const sampleTemplates = (makerId: string): Row[] =>
  TEMPLATES.map(([name, content]) => ({
    id: idOf(`template ${name}`),
    maker_id: makerId,
    is_shared: true,
    name,
    content,
    folder: '',
  }));
