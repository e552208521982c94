import sharp from 'sharp';

/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [number, number, number];
/** Returns the color at a point: `x` from 0 to {@link ASPECT}, `y` from 0 at the top to 1. */
type Painting = (x: number, y: number) => Rgb;

const ASPECT = 0.8;
/** Height of the computed picture, which is then enlarged to soften its edges. Pixels. */
const SKETCH_HEIGHT = 320;
const SCALE = 3;

const rgb = (hex: string): Rgb => {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const mix = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
/** Returns 0 up to `from`, 1 from `to` on, and a smooth transition between them. */
const step = (from: number, to: number, value: number): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
/** The width of an antialiased edge, as a fraction of the picture's height. */
const SOFT = 0.004;

/** Returns a gradient through evenly spaced colors. */
function gradient(...stops: string[]): (t: number) => Rgb {
  const colors = stops.map(rgb);
  const last = colors.length - 1;
  return (t) => {
    const at = Math.min(last - 1e-6, Math.max(0, t * last));
    const index = Math.floor(at);
    return mix(colors[index] ?? [0, 0, 0], colors[index + 1] ?? [0, 0, 0], at - index);
  };
}

/** Draws hills one behind another, the farthest first. */
function ridges(
  colors: string[],
  top: number,
  rough: number,
): (x: number, y: number, sky: Rgb) => Rgb {
  const layers = colors.map((color, index) => ({ color: rgb(color), index }));
  return (x, y, sky) => {
    let seen = sky;
    for (const { color, index } of layers) {
      const phase = index * 2.4;
      const height =
        top +
        (index * (1 - top)) / layers.length +
        rough *
          (Math.sin(x * 7 + phase) +
            0.45 * Math.sin(x * 19 - phase) +
            0.2 * Math.sin(x * 43 + phase));
      seen = mix(seen, color, step(height, height + SOFT, y));
    }
    return seen;
  };
}

const disc = (x: number, y: number, cx: number, cy: number, radius: number): number =>
  1 - step(radius - SOFT, radius + SOFT, Math.hypot(x - cx, y - cy));
const glow = (x: number, y: number, cx: number, cy: number, size: number): number =>
  Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (size * size));

function lanterns(): Painting {
  const night = gradient('10132b', '2a1f4e', '6b2d5c', 'c8553d');
  const light = rgb('ffd9a0');
  const lights = Array.from({ length: 17 }, (_, index) => {
    const depth = ((index * 7) % 17) / 17;
    return {
      x: ((index * 0.755) % 1) * ASPECT,
      y: 0.08 + ((index * 0.57) % 1) * 0.72,
      size: 0.012 + 0.03 * depth,
    };
  });
  return (x, y) => {
    let seen = night(y);
    for (const one of lights) {
      // Beyond this distance the glow is invisible.
      if (Math.abs(x - one.x) > one.size * 7 || Math.abs(y - one.y) > one.size * 7) continue;
      seen = mix(seen, light, 0.55 * glow(x, y, one.x, one.y, one.size * 3));
      seen = mix(seen, light, 0.9 * disc(x, y, one.x, one.y, one.size));
    }
    return seen;
  };
}

function tide(): Painting {
  const sky = gradient('f7ede2', 'f5cac3', 'a9c5c4');
  const waves = ridges(['9fc4c6', '6ea6ad', '43868f', '256a75', '124e59', '08343d'], 0.42, 0.014);
  return (x, y) => waves(x, y, sky(y / 0.5));
}

function orbits(): Painting {
  const dark = gradient('0b132b', '1c2541', '3a506b');
  const [line, heart] = [rgb('5bc0be'), rgb('ff6b6b')];
  return (x, y) => {
    const far = Math.hypot((x - 0.4) * 0.85, y - 0.47);
    const ring = Math.abs(((((far * 17) % 1) + 1) % 1) - 0.5);
    const turned = Math.atan2(y - 0.47, x - 0.4) + far * 9;
    let seen = dark(y);
    seen = mix(
      seen,
      line,
      (1 - step(0.03, 0.09, ring)) *
        (0.25 + 0.5 * step(-0.2, 1, Math.cos(turned))) *
        step(0.1, 0.14, far),
    );
    seen = mix(seen, heart, 0.5 * glow(x, y, 0.4, 0.47, 0.16));
    return mix(seen, heart, disc(x, y, 0.4, 0.47, 0.075));
  };
}

function dusk(): Painting {
  const sky = gradient('2d1e4f', '8e3b6f', 'e86a5b', 'f9b872', 'fde8b0');
  const hills = ridges(['c4586a', '93406a', '5f2c60', '34204e', '1a1433'], 0.6, 0.022);
  const sun = rgb('fff1cf');
  return (x, y) => {
    const behind = mix(sky(y / 0.66), sun, 0.5 * glow(x, y, 0.53, 0.52, 0.2));
    return hills(x, y, mix(behind, sun, disc(x, y, 0.53, 0.52, 0.1)));
  };
}

function panes(): Painting {
  const air = gradient('e9f5db', 'cfe1b9', '97a97c');
  const glass = ['718355', 'b5c99a', '2f5233', 'f2e8cf', '87986a', 'dde5b6', '386641'].map(rgb);
  return (x, y) => {
    let seen = air(y);
    glass.forEach((color, index) => {
      const turn = 0.5 + index * 0.83;
      const along = (x - 0.4) * Math.cos(turn) + (y - 0.5) * Math.sin(turn);
      const across = (y - 0.5) * Math.cos(turn) - (x - 0.4) * Math.sin(turn);
      const inside =
        step(-0.32 + index * 0.03, -0.32 + index * 0.03 + SOFT, along) *
        (1 - step(0.06 + index * 0.04, 0.06 + index * 0.04 + SOFT, Math.abs(across)));
      seen = mix(seen, color, 0.42 * inside);
    });
    return seen;
  };
}

function aurora(): Painting {
  const sky = gradient('03071e', '0b2545', '13315c', '1b4965');
  const hills = ridges(['12354f', '0b2238', '050f1c'], 0.76, 0.02);
  const [green, violet] = [rgb('7bf1a8'), rgb('b38bfa')];
  return (x, y) => {
    const bend = x + 0.06 * Math.sin(y * 6) + 0.03 * Math.sin(y * 15 + 1);
    const folds = 0.5 + 0.3 * Math.sin(bend * 21) + 0.2 * Math.sin(bend * 47 + 2);
    const veil = folds * step(0.05, 0.45, y) * (1 - step(0.5, 0.78, y));
    const curtain = mix(sky(y / 0.8), mix(violet, green, step(0.15, 0.5, y)), 0.75 * veil);
    return hills(x, y, curtain);
  };
}

function petals(): Painting {
  const ground = gradient('fff8e7', 'fdebc8');
  const [inner, outer, heart] = [rgb('e85d04'), rgb('ffba08'), rgb('6a040f')];
  return (x, y) => {
    const [dx, dy] = [x - 0.4, y - 0.5];
    const far = Math.hypot(dx, dy);
    const angle = Math.atan2(dy, dx);
    let seen = ground(y);
    for (let ring = 5; ring >= 1; ring--) {
      const edge = 0.066 * ring * (0.84 + 0.16 * Math.abs(Math.cos(angle * (3 + ring) + ring)));
      const shade = mix(inner, outer, ring / 5);
      const petal = mix(shade, inner, 0.45 * step(edge, edge * 0.55, far));
      seen = mix(seen, petal, 1 - step(edge - SOFT, edge + SOFT, far));
    }
    return mix(seen, heart, disc(x, y, 0.4, 0.5, 0.035));
  };
}

function clouds(): Painting {
  const ground = gradient('e0c3fc', 'c9d6ff', 'fbd3e9');
  const spots = [
    ['8ec5fc', 0.15, 0.25, 0.26],
    ['f9a8d4', 0.62, 0.2, 0.22],
    ['fde68a', 0.68, 0.66, 0.24],
    ['a78bfa', 0.2, 0.72, 0.3],
    ['ffffff', 0.42, 0.46, 0.17],
  ] as const;
  const soft = spots.map(([color, cx, cy, size]) => ({ color: rgb(color), cx, cy, size }));
  return (x, y) => {
    const [wx, wy] = [x + 0.03 * Math.sin(y * 9), y + 0.03 * Math.sin(x * 11)];
    return soft.reduce(
      (seen, { color, cx, cy, size }) => mix(seen, color, 0.85 * glow(wx, wy, cx, cy, size)),
      ground(y),
    );
  };
}

const PAINTINGS = { lanterns, tide, orbits, dusk, panes, aurora, petals, clouds };
export type PaintingName = keyof typeof PAINTINGS;

/** Paints a picture as a JPEG. The same name always gives the same bytes. */
export async function paint(
  name: PaintingName,
): Promise<{ data: Buffer; width: number; height: number }> {
  const colorAt = PAINTINGS[name]();
  const [width, height] = [SKETCH_HEIGHT * ASPECT, SKETCH_HEIGHT];
  const pixels = Buffer.alloc(width * height * 3);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      for (const channel of colorAt(column / height, row / height))
        pixels[at++] = Math.round(channel);
    }
  }
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ width: width * SCALE, kernel: 'cubic' })
    .jpeg({ quality: 86 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
