/** Bytes: what a disk and a bucket take at once without effort. */
const BLOCK_BYTES = 64 * 1024;

/** Gathers what comes in small pieces into blocks of at least 64 KB; the last may be smaller. */
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
