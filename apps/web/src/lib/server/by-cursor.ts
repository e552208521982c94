/** Options of an infinite query whose pages contain the next cursor. The page parameter is part of the call's query. */
export const byCursor = {
  initialPageParam: {} as { cursor?: string },
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) =>
    next_cursor === null ? null : { cursor: next_cursor },
};
