import { ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react';
import { t } from '../../lib/text/i18n.ts';
import { type Crop, held, panned, ZOOM_MAX } from './crop.ts';
import { drawSquare } from './draw.ts';

/** The sides of the square and of the round previews, in CSS pixels. */
const SIDE = 208;
const ROUNDS = [72, 40] as const;
/** The fraction of the side that an arrow key moves the picture by. */
const KEY_STEP = 0.04;
const KEY_ZOOM = 1.1;
const WHEEL_ZOOM = 0.0015;

type CanvasPointer = PointerEvent<HTMLCanvasElement>;

interface PictureCropperProps {
  picture: ImageBitmap;
  crop: Crop;
  onChange: (crop: Crop) => void;
  disabled: boolean;
}

/** Chooses the square of a picture by dragging, with the wheel, a slider or keys. */
export function PictureCropper({ picture, crop, onChange, disabled }: PictureCropperProps) {
  const hintId = useId();
  const stage = useRef<HTMLCanvasElement>(null);
  const rounds = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stage.current) drawSquare(stage.current, picture, crop, true);
    for (const round of rounds.current?.querySelectorAll('canvas') ?? [])
      drawSquare(round, picture, crop);
  }, [picture, crop]);

  const turn = useEffectEvent((deltaY: number) => {
    const zoom = crop.zoom * Math.exp(-deltaY * WHEEL_ZOOM);
    if (!disabled) onChange(held(picture, { ...crop, zoom }));
  });
  useEffect(() => {
    // React's wheel listeners are passive, which would not prevent the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      turn(event.deltaY);
    };
    const canvas = stage.current;
    canvas?.addEventListener('wheel', onWheel, { passive: false });
    return () => canvas?.removeEventListener('wheel', onWheel);
  }, []);

  const grip = useRef<{ id: number; x: number; y: number; isPress: boolean } | null>(null);
  const onPointerDown = ({ currentTarget, pointerId, clientX, clientY }: CanvasPointer) => {
    if (grip.current !== null || disabled) return;
    currentTarget.setPointerCapture(pointerId);
    grip.current = { id: pointerId, x: clientX, y: clientY, isPress: true };
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX, clientY }: CanvasPointer) => {
    const from = grip.current;
    if (from === null || from.id !== pointerId || disabled) return;
    const side = currentTarget.clientWidth;
    const isPress = from.isPress && clientX === from.x && clientY === from.y;
    grip.current = { id: pointerId, x: clientX, y: clientY, isPress };
    onChange(panned(picture, crop, (clientX - from.x) / side, (clientY - from.y) / side));
  };
  // For users who can't drag: a click centers the clicked point.
  const onPointerUp = ({ currentTarget, clientX, clientY }: CanvasPointer) => {
    if (!grip.current?.isPress || disabled) return;
    const { left, top, width } = currentTarget.getBoundingClientRect();
    onChange(panned(picture, crop, 0.5 - (clientX - left) / width, 0.5 - (clientY - top) / width));
  };
  const letGo = () => {
    grip.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(picture, crop, event.key);
    if (next === null || disabled) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div className="flex flex-wrap items-start gap-4">
      <div className="flex w-52 flex-col gap-2">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: no other role allows keys to move the picture */}
        <canvas
          ref={stage}
          width={SIDE * 2}
          height={SIDE * 2}
          tabIndex={0}
          role="application"
          aria-label={t('Visible part of the picture')}
          aria-describedby={hintId}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onLostPointerCapture={letGo}
          onKeyDown={onKeyDown}
          className="size-52 cursor-grab touch-none rounded-control bg-surface-2 active:cursor-grabbing"
        />
        <label className="flex items-center gap-2 text-fg-3">
          <ZoomOut />
          <input
            type="range"
            aria-label={t('Zoom')}
            min={1}
            max={ZOOM_MAX}
            step={0.01}
            value={crop.zoom}
            disabled={disabled}
            onChange={({ target }) =>
              onChange(held(picture, { ...crop, zoom: Number(target.value) }))
            }
            className="slider h-8 min-w-0 flex-1 coarse:h-11"
          />
          <ZoomIn />
        </label>
      </div>
      <div ref={rounds} aria-hidden="true" className="flex flex-col items-center gap-3">
        <p className="text-meta text-fg-3">{t('What fans see')}</p>
        {ROUNDS.map((side) => (
          <canvas
            key={side}
            width={side * 2}
            height={side * 2}
            style={{ width: side, height: side }}
            className="rounded-full bg-surface-2"
          />
        ))}
      </div>
      <p id={hintId} className="w-full text-meta text-fg-3">
        {t('Drag to move, or click to center; scroll to zoom. Keys: arrows, + and −.')}
      </p>
    </div>
  );
}

/** Returns the crop after a key press, or null for other keys. */
function afterKey(picture: ImageBitmap, crop: Crop, key: string): Crop | null {
  switch (key) {
    // The arrow keys move the view, so the picture moves the other way.
    case 'ArrowLeft':
      return panned(picture, crop, KEY_STEP, 0);
    case 'ArrowRight':
      return panned(picture, crop, -KEY_STEP, 0);
    case 'ArrowUp':
      return panned(picture, crop, 0, KEY_STEP);
    case 'ArrowDown':
      return panned(picture, crop, 0, -KEY_STEP);
    case '+':
    case '=':
      return held(picture, { ...crop, zoom: crop.zoom * KEY_ZOOM });
    case '-':
      return held(picture, { ...crop, zoom: crop.zoom / KEY_ZOOM });
    default:
      return null;
  }
}
