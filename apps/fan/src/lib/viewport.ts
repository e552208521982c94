/**
 * Holds the page to the part of the screen that a keyboard leaves: Safari lays it over the page instead of making that
 * smaller. `--viewport-height` is in CSS pixels, for the body's height.
 */
export function watchViewport(): void {
  const { visualViewport } = window;
  if (!visualViewport) return;
  const fit = () => {
    const isZoomed = visualViewport.scale > 1.01;
    document.documentElement.style.setProperty(
      '--viewport-height',
      isZoomed ? '100dvh' : `${Math.round(visualViewport.height)}px`,
    );
    // Safari scrolls the page to bring the field into view, which it is.
    if (!isZoomed && window.scrollY !== 0) window.scrollTo(0, 0);
  };
  visualViewport.addEventListener('resize', fit);
  fit();
}
