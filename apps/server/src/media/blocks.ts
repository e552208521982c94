/** A size that disks and buckets handle efficiently, in bytes. */
const BLOCK_BYTES = 64 * 1024;

/** Combines small chunks into blocks of at least 64 KB; the last may be smaller. */
export async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < BLOCK_BYTES) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(gathered);
}
