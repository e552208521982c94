/**
 * Fits the page to the area above the on-screen keyboard: Safari lays the keyboard over the page instead of resizing it. Sets
 * `--viewport-height`, the body's height in CSS pixels.
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
    // Undoes Safari's scrolling to the focused field, which is already in view.
    if (!isZoomed && window.scrollY !== 0) window.scrollTo(0, 0);
  };
  visualViewport.addEventListener('resize', fit);
  fit();
}
