/** Pixels. */
const GAP = 16;
const NARROW_GAP = 12;
const COLUMN_MIN = 220;
/** On a phone two columns stand beside each other, however narrow. */
const COLUMNS_MIN = 2;
/** Below this width of the grid its gaps are narrow. */
const NARROW = 480;
/** What a card has below its picture, with its border. */
export const CARD_TEXT_HEIGHT = 108;
/** Height of a picture to its width. */
const PICTURE_RATIO = 3 / 4;
/** Rows that are drawn beyond each edge, so that a quick scroll meets no empty space. */
const OVERSCAN = 2;

/** How cards of one size lie in a grid. */
export interface GridShape {
  columns: number;
  gap: number;
  /** Of a card's picture. */
  pictureHeight: number;
  /** Of a row, without the gap below it. */
  rowHeight: number;
}

/** The grid that fits a width in pixels. */
export function gridShape(width: number): GridShape {
  const gap = width < NARROW ? NARROW_GAP : GAP;
  const columns = Math.max(COLUMNS_MIN, Math.floor((width + gap) / (COLUMN_MIN + gap)));
  const column = (width - gap * (columns - 1)) / columns;
  const pictureHeight = Math.max(0, Math.round(column * PICTURE_RATIO));
  return { columns, gap, pictureHeight, rowHeight: pictureHeight + CARD_TEXT_HEIGHT };
}

/** The cards to draw, from the first to before `end`, and the room in pixels that the others take. */
export interface GridWindow {
  first: number;
  end: number;
  before: number;
  after: number;
}

/** Which of `count` cards to draw for what is between `top` and `bottom`, in pixels from the grid's own top. */
export function gridWindow(
  shape: GridShape,
  count: number,
  { top, bottom }: { top: number; bottom: number },
): GridWindow {
  const pitch = shape.rowHeight + shape.gap;
  const rows = Math.ceil(count / shape.columns);
  const within = (row: number, most: number) => Math.max(0, Math.min(most, row));
  // Scrolled beyond the end, as when a search has left a few: the last rows are drawn.
  const firstRow = within(Math.floor(top / pitch) - OVERSCAN, rows - 1);
  const endRow = within(Math.max(firstRow + 1, Math.ceil(bottom / pitch) + OVERSCAN), rows);
  return {
    first: firstRow * shape.columns,
    end: Math.min(count, endRow * shape.columns),
    before: firstRow * pitch,
    after: (rows - endRow) * pitch,
  };
}
