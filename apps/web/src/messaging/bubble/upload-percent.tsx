import { t } from '../../lib/text/i18n.ts';
import { useStrip } from '../attachments/chosen-files.ts';

/** The upload progress of a conversation's files, weighted by size. */
export function UploadPercent({ conversationId }: { conversationId: string }) {
  const { files } = useStrip(conversationId);
  const weight = ({ size }: { size: number | null }) => size ?? 1;
  const all = files.reduce((sum, file) => sum + weight(file), 0);
  const done = files.reduce((sum, file) => sum + weight(file) * file.progress, 0);
  return t('{percent}%', { percent: all === 0 ? 0 : Math.floor((done / all) * 100) });
}
