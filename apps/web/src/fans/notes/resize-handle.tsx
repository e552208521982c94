import { type PointerEvent, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import {
  clampWidth,
  NOTES_WIDTH_MAX,
  NOTES_WIDTH_MIN,
  setPanelWidth,
  usePanelWidth,
  widthByKey,
} from './panel-width.ts';

/** The panel's inner edge, which can be dragged or moved with arrow keys. */
export function ResizeHandle() {
  const width = usePanelWidth();
  const start = useRef<{ x: number; width: number } | null>(null);
  const onMove = (event: PointerEvent) => {
    if (!start.current) return;
    const moved = start.current.x - event.clientX;
    setPanelWidth(clampWidth(start.current.width + (document.dir === 'rtl' ? -moved : moved)));
  };
  const onEnd = () => {
    start.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={t('Resize notes')}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={NOTES_WIDTH_MIN}
      aria-valuemax={NOTES_WIDTH_MAX}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onKeyDown={(event) => {
        const next = widthByKey(event.key, width, document.dir === 'rtl');
        if (next === null) return;
        event.preventDefault();
        setPanelWidth(next);
      }}
      className="absolute inset-y-0 -start-1.5 z-10 w-3 cursor-col-resize touch-none after:absolute after:inset-y-0 after:start-[5px] after:w-0.5 after:transition-colors after:duration-80 hover:after:bg-accent-text focus-visible:outline-none focus-visible:after:bg-accent-text"
    />
  );
}
