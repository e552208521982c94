/** What this tab itself uploaded, by attachment: it is shown from here, and not fetched back. */
const urls = new Map<string, string>();

/** Notes where the browser holds what became an attachment. */
export function noteLocalPicture(attachmentId: string, url: string): void {
  urls.set(attachmentId, url);
}

/** Where the browser holds the attachment's file, or null. */
export function localPicture(attachmentId: string): string | null {
  return urls.get(attachmentId) ?? null;
}
