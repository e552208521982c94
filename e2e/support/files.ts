import type { Locator, Page } from '@playwright/test';
import { buildPicture } from '../../apps/server/test/worlds/catalogue.ts';
import { thread } from './screens.ts';

/** A file for a file chooser. */
export interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export async function picture(name: string, color?: string): Promise<Chosen> {
  const buffer = await buildPicture({ width: 300, height: 200, ...(color && { color }) });
  return { name, mimeType: 'image/png', buffer };
}

export function pdf(name: string): Chosen {
  return { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') };
}

/** Returns a quarter of a second of silence in a format that browsers can play. */
export function sound(name: string): Chosen {
  const samples = 2_000;
  const buffer = Buffer.alloc(44 + samples, 128);
  buffer.write('RIFF', 0, 'latin1');
  buffer.writeUInt32LE(36 + samples, 4);
  buffer.write('WAVEfmt ', 8, 'latin1');
  buffer.writeUInt32LE(16, 16);
  // PCM, one channel, 8,000 samples per second, one byte each.
  buffer.writeUInt16LE(1, 20);
  buffer.writeUInt16LE(1, 22);
  buffer.writeUInt32LE(8_000, 24);
  buffer.writeUInt32LE(8_000, 28);
  buffer.writeUInt16LE(1, 32);
  buffer.writeUInt16LE(8, 34);
  buffer.write('data', 36, 'latin1');
  buffer.writeUInt32LE(samples, 40);
  return { name, mimeType: 'audio/wav', buffer };
}

/** Chooses files through an item of the attach menu. */
export async function choose(page: Page, entry: string, files: Chosen | Chosen[]): Promise<void> {
  await page.getByRole('button', { name: 'Attach' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: entry }).click();
  await (await chooser).setFiles(files);
}

/** Drops a file onto the conversation. */
export async function drop(page: Page, { name, mimeType, buffer }: Chosen): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, type, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], file, { type }));
      return transfer;
    },
    [name, mimeType, [...buffer]] as const,
  );
  await thread(page).dispatchEvent('dragover', { dataTransfer });
  await thread(page).dispatchEvent('drop', { dataTransfer });
}

/** Locates the files chosen for the next message. */
export const strip = (page: Page): Locator =>
  page.getByRole('list', { name: 'Selected files' }).getByRole('listitem');

export const sendButton = (page: Page): Locator => page.getByRole('button', { name: /^Send to / });

/** Locates the pictures in the thread. */
export const photos = (page: Page): Locator => thread(page).getByRole('button', { name: /^View / });

/** Returns the number of chosen files in IndexedDB. */
export const keptFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open('stagedoor');
        request.onupgradeneeded = () => request.transaction?.abort();
        request.onerror = () => resolve(0);
        request.onsuccess = () => {
          const database = request.result;
          const count = database.transaction('chosen_files').objectStore('chosen_files').count();
          count.onsuccess = () => {
            database.close();
            resolve(count.result);
          };
        };
      }),
  );
