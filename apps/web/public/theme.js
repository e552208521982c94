// Applies the stored theme and density before the first paint. Without a stored theme, the system's theme applies.
(() => {
  let theme = null;
  let density = null;
  try {
    theme = localStorage.getItem('theme');
    density = localStorage.getItem('density');
  } catch {
    // Storage is blocked: use the system's theme.
  }
  if (density === 'compact') document.documentElement.dataset.density = density;
  if (theme !== 'light' && theme !== 'dark') return;
  document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.content = theme === 'dark' ? '#13161a' : '#ffffff';
  }
})();
