/** The message being replied to, as the reply bar and quotes show it. */
export interface ReplyTarget {
  id: string;
  sender: string;
  preview: string;
}
