/** Object URLs of files uploaded from this tab, keyed by attachment id, so that the files are not downloaded again. */
const urls = new Map<string, string>();

/** Stores the object URL of an uploaded attachment. */
export function noteLocalPicture(attachmentId: string, url: string): void {
  urls.set(attachmentId, url);
}

/** Returns the attachment's object URL, or null. */
export function localPicture(attachmentId: string): string | null {
  return urls.get(attachmentId) ?? null;
}
