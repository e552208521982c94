/** The preset colors, which new admins also get. They are easy to tell apart in light and dark themes. */
export const STAFF_COLORS = [
  '#4251D4',
  '#B4235A',
  '#0B7A5C',
  '#A15C00',
  '#7024AB',
  '#00708F',
  '#B3261E',
  '#4B7A12',
  '#8A4B2A',
  '#3D5A80',
] as const;
