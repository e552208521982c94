/** The possible codenames of admins. Teammates see them; fans never do. */
export const FRUITS = [
  'Apple', 'Apricot', 'Avocado', 'Banana', 'Bilberry', 'Blackberry', 'Blackcurrant', 'Blueberry', 'Boysenberry',
  'Breadfruit', 'Cantaloupe', 'Carambola', 'Cherimoya', 'Cherry', 'Clementine', 'Cloudberry', 'Coconut', 'Cranberry',
  'Damson', 'Date', 'Dragonfruit', 'Durian', 'Elderberry', 'Feijoa', 'Fig', 'Gooseberry', 'Grape', 'Grapefruit', 'Guava',
  'Honeydew', 'Huckleberry', 'Jackfruit', 'Jujube', 'Kiwi', 'Kumquat', 'Lemon', 'Lime', 'Lingonberry', 'Longan', 'Loquat',
  'Lychee', 'Mandarin', 'Mango', 'Mangosteen', 'Medlar', 'Mirabelle', 'Mulberry', 'Nectarine', 'Olive', 'Orange',
  'Papaya', 'Passionfruit', 'Peach', 'Pear', 'Persimmon', 'Physalis', 'Pineapple', 'Pitaya', 'Plantain', 'Plum',
  'Pomegranate', 'Pomelo', 'Quince', 'Rambutan', 'Raspberry', 'Redcurrant', 'Salak', 'Satsuma', 'Soursop', 'Strawberry',
  'Tamarillo', 'Tamarind', 'Tangerine', 'Ugli', 'Watermelon', 'Yuzu',
] as const; // biome-ignore format: a list

/** Display colors of admins, each readable in both themes as a dot or behind an initial. */
export const DISPLAY_COLORS = [
  '#4251D4', '#B4235A', '#0B7A5C', '#A15C00', '#7024AB', '#00708F', '#B3261E', '#4B7A12', '#8A4B2A', '#3D5A80',
] as const; // biome-ignore format: a list
