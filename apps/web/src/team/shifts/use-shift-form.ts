import {
  createShift,
  deleteShift,
  type Shift,
  type ShiftScope,
  updateShift,
} from '@stagedoor/contract/team/shifts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { fromLocal, toLocal } from '../../lib/text/zoned-time.ts';
import { offerChangeBack, offerReplan, offerUnplan, refusalText } from './change-shift.ts';
import { type Pattern, ruleOf, weekdayOf } from './pattern.ts';
import { refreshShifts } from './queries.ts';
import { addDays } from './week.ts';

const HOUR_MS = 3_600_000;
const USUAL_LENGTH_MS = 8 * HOUR_MS;
const USUAL_DAYS = 28;

/** A shift as entered. Times are local times in the team's time zone. */
interface ShiftFields {
  readonly adminId: string;
  readonly starts: string;
  readonly ends: string;
  readonly note: string;
  /** Null for a single shift. */
  readonly pattern: Pattern | null;
}

type Field = keyof ShiftFields | 'form';
type Errors = Readonly<Partial<Record<Field, string>>>;

const FIELDS: Readonly<Record<string, Field>> = {
  admin_id: 'adminId',
  starts_at: 'starts',
  ends_at: 'ends',
  note: 'note',
};

export const usualPattern = (starts: string): Pattern => {
  const date = starts.slice(0, 10);
  return { weekdays: [weekdayOf(date)], until: addDays(date, USUAL_DAYS - 1), except: [] };
};

function fieldsOf(before: Shift | null, start: number, zone: string, adminId: string): ShiftFields {
  if (before === null) {
    const ends = toLocal(start + USUAL_LENGTH_MS, zone);
    return { adminId, starts: toLocal(start, zone), ends, note: '', pattern: null };
  }
  return {
    adminId: before.admin_id,
    starts: toLocal(Date.parse(before.starts_at), zone),
    ends: toLocal(Date.parse(before.ends_at), zone),
    note: before.note,
    pattern: null,
  };
}

interface FormOptions {
  /** The shift to change; null for a new one. */
  before: Shift | null;
  start: number;
  zone: string;
  /** The default admin of a new shift. */
  adminId: string;
  onClose: () => void;
}

/** Manages the form of a shift: its fields, their errors, and the actions that save it. */
export function useShiftForm({ before, start, zone, adminId, onClose }: FormOptions) {
  const client = useQueryClient();
  const [initial] = useState(() => fieldsOf(before, start, zone, adminId));
  const [fields, setFields] = useState(initial);
  const [scope, setScope] = useState<ShiftScope>('this');
  const [errors, setErrors] = useState<Errors>({});

  const refuse = (error: unknown) => {
    const wrong = error instanceof ApiError ? Object.entries(error.fields) : [];
    const shown = wrong.map(([path, text]): [Field, string] => {
      if (path.startsWith('repeat')) return ['pattern', text];
      return [FIELDS[path] ?? 'form', refusalText(error, text, zone)];
    });
    const [first] = shown;
    const text = refusalText(error, t('Couldn’t save the shift'), zone);
    setErrors(first === undefined ? { form: text } : Object.fromEntries(shown));
    void refreshShifts(client);
  };
  const save = useMutation({
    mutationFn: async () => {
      const { adminId: admin_id, note, pattern } = fields;
      const body = {
        admin_id,
        note: note.trim(),
        starts_at: instantOf(fields.starts, initial.starts, before?.starts_at, zone),
        ends_at: instantOf(fields.ends, initial.ends, before?.ends_at, zone),
      };
      if (before === null) {
        const repeat = pattern && { rule: ruleOf(pattern, zone), except: [...pattern.except] };
        const reply = await call(createShift, { body: { ...body, ...(repeat && { repeat }) } });
        return () => offerUnplan(client, reply.data, reply.count);
      }
      // A teammate may have changed the other fields in the meantime.
      const changed = (Object.keys(body) as (keyof typeof body)[]).filter(
        (field) => body[field] !== before[field],
      );
      const part = (of: typeof body) =>
        Object.fromEntries(changed.map((field) => [field, of[field]])) as Partial<typeof body>;
      await call(updateShift, { params: { id: before.id }, body: { ...part(body), scope } });
      return () => {
        if (scope === 'this') offerChangeBack(client, before.id, part(before));
      };
    },
    onSuccess: (say) => {
      void refreshShifts(client);
      say();
    },
    onError: refuse,
  });
  const remove = useMutation({
    mutationFn: async (shift: Shift) =>
      call(deleteShift, { params: { id: shift.id }, query: { scope } }),
    onSuccess: (_reply, shift) => {
      void refreshShifts(client);
      if (scope === 'this') offerReplan(client, shift);
    },
    onError: refuse,
  });

  return {
    fields,
    scope,
    setScope,
    errors,
    isDirty: fields !== initial && JSON.stringify(fields) !== JSON.stringify(initial),
    isBusy: save.isPending || remove.isPending,
    /** Changes some fields. Changing the start also moves the end, so that the length stays the same. */
    change(part: Partial<ShiftFields>) {
      setErrors({});
      setFields((held) => ({
        ...held,
        ...part,
        ...(part.starts !== undefined && { ends: endAfter(held, part.starts) }),
      }));
    },
    submit() {
      const wrong = problemsOf(fields);
      setErrors(wrong);
      if (Object.keys(wrong).length === 0) save.mutate(undefined, { onSuccess: onClose });
    },
    remove: (shift: Shift) => remove.mutate(shift, { onSuccess: onClose }),
  };
}

/** Returns the instant of an entered time. An unchanged time keeps its instant, because a local time can occur twice in a day. */
const instantOf = (local: string, initial: string, before: string | undefined, zone: string) =>
  before !== undefined && local === initial
    ? before
    : new Date(fromLocal(local, zone) ?? 0).toISOString();

function endAfter({ starts, ends }: ShiftFields, next: string): string {
  const [from, to, moved] = [starts, ends, next].map((local) => Date.parse(`${local}Z`));
  const end = (moved ?? 0) + (to ?? 0) - (from ?? 0);
  return Number.isNaN(end) ? ends : new Date(end).toISOString().slice(0, 16);
}

function problemsOf({ starts, ends, pattern }: ShiftFields): Errors {
  const problems: { starts?: string; ends?: string; pattern?: string } = {};
  if (starts === '') problems.starts = t('Choose when the shift begins');
  if (ends === '') problems.ends = t('Choose when the shift ends');
  else if (ends <= starts) problems.ends = t('The end must be after the start');
  if (pattern !== null && pattern.weekdays.length === 0)
    problems.pattern = t('Choose at least one weekday');
  else if (pattern !== null && pattern.until < starts.slice(0, 10))
    problems.pattern = t('Choose a last day after the first shift');
  return problems;
}
