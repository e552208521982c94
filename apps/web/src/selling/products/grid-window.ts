/** The gap between cards, in wide and in narrow grids, and the minimum width of a column. Pixels. */
const GAP = 16;
const NARROW_GAP = 12;
const COLUMN_MIN = 220;
/** A phone always shows two columns. */
const COLUMNS_MIN = 2;
/** The grid width in pixels below which the gaps are narrow. */
const NARROW = 480;
/** The height in pixels of a card's part below the picture, including the border, if the title has one line. */
const TEXT_HEIGHT = 108;
const TITLE_LINE_HEIGHT = 20;
/** The column width in pixels below which titles have a second line. */
const WIDE_COLUMN = 256;
/** The height of a picture relative to its width. */
const PICTURE_RATIO = 3 / 4;
/** The number of extra rows rendered above and below the visible part, so that fast scrolling shows no empty space. */
const OVERSCAN = 2;

/** The layout of a grid of equal cards. */
export interface GridShape {
  columns: number;
  gap: number;
  pictureHeight: number;
  /** How many lines of a card's title show: 1 or 2. */
  titleLines: number;
  /** The height of a row without the gap below it. */
  rowHeight: number;
}

/** Returns the grid for a width in pixels. */
export function gridShape(width: number): GridShape {
  const gap = width < NARROW ? NARROW_GAP : GAP;
  const columns = Math.max(COLUMNS_MIN, Math.floor((width + gap) / (COLUMN_MIN + gap)));
  const column = (width - gap * (columns - 1)) / columns;
  const pictureHeight = Math.max(0, Math.round(column * PICTURE_RATIO));
  const titleLines = column < WIDE_COLUMN ? 2 : 1;
  const rowHeight = pictureHeight + TEXT_HEIGHT + (titleLines - 1) * TITLE_LINE_HEIGHT;
  return { columns, gap, pictureHeight, titleLines, rowHeight };
}

/** The cards to render, from `first` up to but not including `end`, and the space before and after them in pixels. */
export interface GridWindow {
  first: number;
  end: number;
  before: number;
  after: number;
}

/** Returns which of `count` cards to render for the visible part from `top` to `bottom`, in pixels from the grid's top. */
export function gridWindow(
  shape: GridShape,
  count: number,
  { top, bottom }: { top: number; bottom: number },
): GridWindow {
  const pitch = shape.rowHeight + shape.gap;
  const rows = Math.ceil(count / shape.columns);
  const within = (row: number, most: number) => Math.max(0, Math.min(most, row));
  // If scrolled past the end, for example after a search left few cards, the last rows are rendered.
  const firstRow = within(Math.floor(top / pitch) - OVERSCAN, rows - 1);
  const endRow = within(Math.max(firstRow + 1, Math.ceil(bottom / pitch) + OVERSCAN), rows);
  return {
    first: firstRow * shape.columns,
    end: Math.min(count, endRow * shape.columns),
    before: firstRow * pitch,
    after: (rows - endRow) * pitch,
  };
}
