/** The message that a text answers, as far as the bar above the text field and a quote show it. */
export interface ReplyTarget {
  id: string;
  sender: string;
  preview: string;
}
