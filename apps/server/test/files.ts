import { type Attachment, type FanVisibleAttachment, uploadFiles } from '@stagedoor/contract/media';
import { uploadTemplateFiles } from '@stagedoor/contract/messaging/templates';
import { type PlatformFan, uploadFanFiles } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { Staff } from './factories.ts';
import type { TestApp } from './test-app.ts';

/** A file as a browser sends it. */
export interface SentFile {
  readonly data: Uint8Array;
  readonly filename: string;
  readonly type?: string;
}

const padded = (...parts: (string | number[])[]) =>
  Buffer.concat([
    ...parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
    Buffer.alloc(2_000, 7),
  ]);

/** Files with valid signatures and no playable content. */
export const SAMPLES = {
  mp4: padded([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0], 'isommp41'),
  mov: padded([0, 0, 0, 20], 'ftypqt  ', [0, 0, 2, 0], 'qt  '),
  webm: padded([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], 'webm'),
  mp3: padded('ID3', [3, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x44]),
  m4a: padded([0, 0, 0, 24], 'ftypM4A ', [0, 0, 2, 0], 'M4A mp42'),
  wav: padded('RIFF', [36, 8, 0, 0], 'WAVEfmt '),
  ogg: padded(
    'OggS',
    [0, 2],
    Array.from({ length: 20 }, () => 0),
    [1, 19],
    'OpusHead',
  ),
  pdf: padded('%PDF-1.7\n'),
} as const;

/** A text in the metadata of {@link photoWithLocation}; the server must never serve it. */
export const SECRET = 'SECRET-PLACE-51.5N';

/** Returns a photo with a location, stored as 40 by 20 pixels and shown as 20 by 40. */
export async function photoWithLocation(format: 'jpeg' | 'png' | 'webp' | 'avif'): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 20, channels: 3, background: '#c06040' } })
    .toFormat(format)
    .withExif({
      IFD0: { ImageDescription: SECRET, Make: SECRET },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="${SECRET}"/></r:RDF></x:xmpmeta>`,
    )
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** Returns a recording with a location in every place where phones store one. The server needs several reads for the file. */
export function recordingWithLocation(kind: 'mp4' | 'mov' | 'm4a'): Buffer {
  const said = Buffer.from(`\0\u0015${SECRET}/`);
  const location = box('udta', box('\u00a9xyz', said), box('loci', said));
  const keys = box('meta', box('keys', Buffer.from('com.apple.quicktime.location.ISO6709'), said));
  const samples = Buffer.concat([Buffer.from('SAMPLES'), Buffer.alloc(200_000, 9)]);
  return Buffer.concat([
    box('ftyp', Buffer.from({ mp4: 'isom', mov: 'qt  ', m4a: 'M4A ' }[kind]), Buffer.alloc(8)),
    box('free', said),
    longBox('mdat', samples),
    box('uuid', Buffer.from('BE7ACFCB97A942E8'), Buffer.from(`<x:xmpmeta GPS="${SECRET}"/>`)),
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      box('trak', box('tkhd', Buffer.alloc(84)), location, keys),
      location,
      keys,
    ),
    longBox('meta', said),
    box('mdat', Buffer.alloc(100_000, 8), Buffer.from('END')),
  ]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8));
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
}

/** Returns a box with a 64-bit size. */
function longBox(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(BigInt(content.length + 16), 8);
  return Buffer.concat([header, content]);
}

/** Returns an animation of three frames, 30 by 30 pixels. */
export function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  return sharp(noise(30 * 90 * 3), { raw: { width: 30, height: 90, channels: 3, pageHeight: 30 } })
    .toFormat(format)
    .toBuffer();
}

const noise = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7919) % 251);

/** Returns the form of an upload. */
export function filesForm(
  files: readonly SentFile[],
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { data, filename, type = 'application/octet-stream' } of files) {
    form.append('files', new Blob([new Uint8Array(data)], { type }), filename);
  }
  return form;
}

/** Uploads files as staff to a conversation. */
export async function uploadAsStaff(
  staff: Pick<Staff, 'client'>,
  conversationId: string,
  ...files: readonly SentFile[]
): Promise<Attachment[]> {
  const form = filesForm(files, { conversation_id: conversationId });
  return (await staff.client.upload(uploadFiles, form)).body.attachments;
}

/** Uploads files as staff for a template. */
export async function uploadForTemplate(
  { client }: Pick<Staff, 'client'>,
  ...files: readonly SentFile[]
): Promise<Attachment[]> {
  return (await client.upload(uploadTemplateFiles, filesForm(files))).body.attachments;
}

/** Uploads files as a fan. */
export async function uploadAsFan(
  app: Pick<TestApp, 'platform'>,
  fan: PlatformFan,
  ...files: readonly SentFile[]
): Promise<FanVisibleAttachment[]> {
  const params = { fan: fan.external_id };
  return (await app.platform.upload(uploadFanFiles, filesForm(files), params)).body.attachments;
}

/** Fetches a URL of the API, without a credential except those in the headers. */
export async function fetchFile(
  app: Pick<TestApp, 'url'>,
  path: string | null | undefined,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  if (typeof path !== 'string') throw new Error('there is no URL');
  const response = await fetch(new URL(path, app.url), init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Returns everything that uploads leave behind: files, rows, and keys queued for deletion. */
export async function traces(app: Pick<TestApp, 'db' | 'storedFiles'>) {
  const { rows } = await sql<{ uploads: number; garbage: number }>`
    select (select count(*)::int from uploads) as uploads,
      (select count(*)::int from storage_garbage) as garbage`.execute(app.db.kysely);
  return { files: (await app.storedFiles()).toSorted(), uploads: 0, garbage: 0, ...rows[0] };
}
