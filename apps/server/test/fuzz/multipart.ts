import type { Endpoint } from '@stagedoor/contract/endpoint';
import fc from 'fast-check';
import { SAMPLES } from '../files.ts';
import { hostileText, referenceTo } from './values.ts';

interface Part {
  readonly name: string;
  readonly filename: string | null;
  readonly type: string | null;
  /** For a file, a key of {@link contents}; for a field, its text. */
  readonly content: keyof typeof contents | { readonly text: string };
  readonly headers: readonly string[];
}

/** A multipart body and its defects. */
export interface Multipart {
  readonly parts: readonly Part[];
  /** The boundary in the content type. */
  readonly boundary: string;
  /** The number of bytes cut off at the end. */
  readonly cut: number;
  /** Bytes inserted into the body, at a fraction of its length. */
  readonly noise: { readonly at: number; readonly base64: string } | null;
}

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const contents = {
  pixel: Buffer.from(PIXEL, 'base64'),
  broken: Buffer.from(PIXEL, 'base64').subarray(0, 40),
  empty: Buffer.alloc(0),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  zeros: Buffer.alloc(70_000),
  ...SAMPLES,
};
type Content = keyof typeof contents;
const names = Object.keys(contents) as Content[];

const NAMES = ['files', 'image', 'avatar', 'file', 'conversation_id', 'title', 'price'];
const MORE_NAMES = ['description', 'folder_id', 'userId', 'is_active', '__proto__', 'constructor'];

const file: fc.Arbitrary<Part> = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('files', 'image', 'avatar', 'file') },
    { weight: 1, arbitrary: hostileText },
  ),
  filename: fc.oneof(fc.constantFrom('a.png', 'clip.mp4', '.', '../../x', 'con'), hostileText),
  type: fc.option(
    fc.constantFrom('image/png', 'video/mp4', 'application/pdf', 'text/html', '/', 'x'),
  ),
  content: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Content>('pixel') },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  ),
  headers: fc.constant([]),
});

const value: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('9.99', '0', 'true', 'A title'),
  referenceTo('conversation'),
  referenceTo('folder'),
  hostileText,
);

const field: fc.Arbitrary<Part> = fc.record({
  name: fc.constantFrom(...NAMES, ...MORE_NAMES),
  filename: fc.constant(null),
  type: fc.constantFrom(null, null, null, 'text/plain; charset=utf-16', 'application/json'),
  content: value.map((text) => ({ text })),
  headers: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ['Content-Transfer-Encoding: base64'],
        ['X: '.padEnd(9_000, 'x')],
        Array.from({ length: 30 }, (_, index) => `X-${index}: y`),
        ['broken'],
      ),
    },
  ),
});

/** Returns a form that the endpoint accepts. */
function wellFormed({ path }: Endpoint): fc.Arbitrary<Part[]> {
  const text = (name: string, content: fc.Arbitrary<string>): fc.Arbitrary<Part> =>
    content.map((sent) => ({
      name,
      filename: null,
      type: null,
      content: { text: sent },
      headers: [],
    }));
  const picture = (name: string): fc.Arbitrary<Part> =>
    file.map((part) => ({ ...part, name, content: 'pixel' }));
  if (path.includes('products')) {
    const price = fc.constantFrom('9.99', '1');
    return fc.tuple(text('title', value), text('price', price), picture('image'));
  }
  if (path.includes('avatar')) return fc.tuple(picture('avatar'));
  const files = fc.array(
    file.map((part): Part => ({ ...part, name: 'files' })),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  return fc
    .tuple(text('conversation_id', referenceTo('conversation')), files)
    .map(([id, sent]) => [id, ...sent]);
}

export function multipart(endpoint: Endpoint): fc.Arbitrary<Multipart> {
  return fc.record({
    parts: fc.oneof(
      { weight: 3, arbitrary: wellFormed(endpoint) },
      { weight: 2, arbitrary: fc.array(fc.oneof(file, field), { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.array(fc.oneof(file, field), { minLength: 20, maxLength: 45 }) },
    ),
    boundary: fc.oneof(
      { weight: 9, arbitrary: fc.constant('edge') },
      { weight: 1, arbitrary: fc.constantFrom('other', '', '"edge"', 'e'.repeat(300)) },
    ),
    cut: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
    ),
    noise: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          base64: fc.base64String({ maxLength: 40 }),
        }),
      },
    ),
  });
}

/** Returns the bytes of a multipart body. @param resolve replaces references with ids */
export function writeMultipart(
  { parts, cut, noise }: Multipart,
  resolve: (text: string) => string,
): Buffer {
  const bytes = Buffer.concat([
    ...parts.flatMap(({ name, filename, type, content, headers }) => {
      const disposition = `Content-Disposition: form-data; name="${name}"`;
      const head = [
        filename === null ? disposition : `${disposition}; filename="${filename}"`,
        ...(type === null ? [] : [`Content-Type: ${type}`]),
        ...headers,
      ];
      return [
        Buffer.from(`--edge\r\n${head.join('\r\n')}\r\n\r\n`),
        typeof content === 'string' ? contents[content] : Buffer.from(resolve(content.text)),
        Buffer.from('\r\n'),
      ];
    }),
    Buffer.from('--edge--\r\n'),
  ]);
  const whole = bytes.subarray(0, Math.max(0, bytes.length - cut));
  if (noise === null) return whole;
  const at = Math.floor(noise.at * whole.length);
  return Buffer.concat([
    whole.subarray(0, at),
    Buffer.from(noise.base64, 'base64'),
    whole.subarray(at),
  ]);
}
