// Applies the theme that was set, before anything is painted. Without one the system's theme holds.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    // Storage is closed to this page: the system's theme holds.
  }
  if (theme !== 'light' && theme !== 'dark') return;
  document.documentElement.dataset.theme = theme;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.content = theme === 'dark' ? '#13161a' : '#ffffff';
  }
})();
