import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** The local storage key of the chosen theme. `public/theme.js` also reads it, before the first paint. */
const STORED_THEME = 'theme';

/** Colors for the browser's own UI; they match `--surface` in the style sheet. */
const THEME_COLORS = { light: '#ffffff', dark: '#13161a' } as const;

const listeners = createListeners();

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') {
    localStorage.removeItem(STORED_THEME);
    delete root.dataset.theme;
  } else {
    localStorage.setItem(STORED_THEME, theme);
    root.dataset.theme = theme;
  }
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const systemColor = meta.media.includes('dark') ? THEME_COLORS.dark : THEME_COLORS.light;
    meta.content = theme === 'system' ? systemColor : THEME_COLORS[theme];
  }
  listeners.notify();
}

export function useTheme(): Theme {
  return useSyncExternalStore(listeners.subscribe, readTheme);
}
