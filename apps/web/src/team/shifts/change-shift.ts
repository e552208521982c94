import type { EndpointInput } from '@stagedoor/contract/endpoint';
import { createShift, deleteShift, type Shift, updateShift } from '@stagedoor/contract/team/shifts';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { hideProblem, showProblem, showToast } from '../../ui/overlay/toast.ts';
import { putShift, refreshShifts } from './queries.ts';
import type { Times } from './week.ts';
import { spanIn } from './words.ts';

/** Returns why a change was refused. For an overlap, the text includes the times of the other shift. */
export function refusalText(error: unknown, fallback: string, zone: string): string {
  const text = errorText(error, fallback);
  if (!(error instanceof ApiError) || error.code !== 'shift_conflict') return text;
  const { starts_at, ends_at } = (error.current ?? {}) as Partial<Shift>;
  if (starts_at === undefined || ends_at === undefined) return text;
  return t('{problem}: {times}', { problem: text, times: spanIn({ starts_at, ends_at }, zone) });
}

/** Moves or resizes a shift. The change shows at once, can be undone, and is reverted if it is refused. */
export function moveShift(
  client: QueryClient,
  shift: Shift,
  { starts_at, ends_at }: Times,
  { zone, offersUndo = true }: { zone: string; offersUndo?: boolean },
): Promise<void> {
  const moved = { ...shift, starts_at, ends_at };
  hideProblem(shift.id);
  return makeChange(client, {
    key: ['shift', shift.id],
    variables: moved,
    show: () => {
      putShift(client, moved);
      return () => putShift(client, shift);
    },
    save: async () =>
      (await call(updateShift, { params: { id: shift.id }, body: { starts_at, ends_at } })).data,
    saved: (saved) => {
      putShift(client, saved);
      void refreshShifts(client);
    },
    toast: {
      text: t('Shift moved to {times}', { times: spanIn(moved, zone) }),
      ...(offersUndo && {
        onUndo: () => void moveShift(client, moved, shift, { zone, offersUndo: false }),
      }),
    },
    failed: (error) => {
      showProblem({
        key: shift.id,
        text: refusalText(error, t('Couldn’t move the shift'), zone),
      });
      void refreshShifts(client);
    },
  });
}

/** Returns a function that runs `undo`, and shows a problem if that fails. */
function undoing(client: QueryClient, undo: () => Promise<unknown>): () => void {
  return () =>
    void undo()
      .catch((error: unknown) =>
        showProblem({ key: 'shifts', text: errorText(error, t('Couldn’t undo the change')) }),
      )
      .finally(() => void refreshShifts(client));
}

/** Says how many shifts were planned, and offers to delete them again. */
export function offerUnplan(client: QueryClient, first: Shift, count: number): void {
  showToast({
    text: t('{count, plural, one {# shift planned} other {# shifts planned}}', { count }),
    onUndo: undoing(client, () =>
      call(deleteShift, { params: { id: first.id }, query: { scope: 'all' } }),
    ),
  });
}

type ShiftChange = EndpointInput<typeof updateShift>['body'];

/** Says that a shift was changed, and offers to change it back. @param body the changed fields as they were */
export function offerChangeBack(client: QueryClient, id: string, body: ShiftChange): void {
  showToast({
    text: t('Shift changed'),
    onUndo: undoing(client, () => call(updateShift, { params: { id }, body })),
  });
}

/** Says that a shift was deleted, and offers to plan it again, but as a single shift without its pattern. */
export function offerReplan(client: QueryClient, deleted: Shift): void {
  const { id: _id, series_id: _series, ...body } = deleted;
  showToast({
    text: t('Shift deleted'),
    onUndo: undoing(client, () => call(createShift, { body })),
  });
}
