import type { Attachment } from '@stagedoor/contract/media';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { AudioPlayer } from './audio-player.tsx';
import { FileRow, Video } from './file-attachments.tsx';
import { CARD_WIDTH, PaidCard } from './paid-card.tsx';
import { Picture } from './picture.tsx';
import { boxOf, columnsOf } from './picture-size.ts';

/** Actions that attachments need from their conversation. */
export interface AttachmentHandlers {
  /** Opens a picture at full size; undefined while the message is being sent. */
  onOpen: ((attachmentId: string) => void) | undefined;
  /** Refetches the messages to renew expired URLs. */
  refresh: () => Promise<void>;
  onDownload: (attachmentId: string) => Promise<void>;
}

interface AttachmentsProps extends AttachmentHandlers {
  attachments: readonly Attachment[];
  /** Whether the message also has a text, which gets the same width. */
  hasText: boolean;
}

/** A message's attachments: products first, then the album of pictures, then other files. */
export function Attachments(props: AttachmentsProps) {
  const { attachments, hasText, onOpen, refresh, onDownload } = props;
  const products = attachments.filter(({ product_id }) => product_id !== null);
  const files = attachments.filter(({ product_id }) => product_id === null);
  const pictures = files.filter(({ type }) => type === 'image');
  const others = files.filter(({ type }) => type !== 'image');
  return (
    <div className={classes('flex w-fit max-w-full flex-col gap-1', hasText && 'min-w-[220px]')}>
      {products.length > 0 && (
        <div style={{ width: CARD_WIDTH }} className="flex max-w-full flex-col gap-1">
          {products.map((attachment) => (
            <PaidCard
              key={attachment.id}
              attachment={attachment}
              onOpen={onOpen && (() => onOpen(attachment.id))}
              refresh={refresh}
            />
          ))}
        </div>
      )}
      {pictures.length > 0 && <Album pictures={pictures} onOpen={onOpen} refresh={refresh} />}
      {others.map((attachment) => {
        const shared = { attachment, refresh };
        if (attachment.type === 'video') return <Video key={attachment.id} {...shared} />;
        if (attachment.type === 'audio') return <AudioPlayer key={attachment.id} {...shared} />;
        return (
          <FileRow key={attachment.id} {...shared} onDownload={() => onDownload(attachment.id)} />
        );
      })}
    </div>
  );
}

interface AlbumProps extends Omit<AttachmentHandlers, 'onDownload'> {
  pictures: readonly Attachment[];
}

/** One picture in its own proportions; several as full rows of squares. */
function Album({ pictures, onOpen, refresh }: AlbumProps) {
  const [only] = pictures;
  if (only && pictures.length === 1) {
    const box = boxOf(only.width, only.height);
    return (
      <Picture
        attachment={only}
        label={only.filename ?? t('photo')}
        onOpen={onOpen && (() => onOpen(only.id))}
        refresh={refresh}
        style={{ width: box.width, aspectRatio: box.width / box.height }}
        className="rounded-[11px]"
      />
    );
  }
  const columns = columnsOf(pictures.length);
  return (
    <ul
      aria-label={t('{count, plural, one {# photo} other {# photos}}', { count: pictures.length })}
      className="grid w-[340px] max-w-full grid-cols-6 gap-1 overflow-hidden rounded-[11px]"
    >
      {pictures.map((picture, index) => (
        <li key={picture.id} className={SPANS[columns[index] ?? 3]}>
          <Picture
            attachment={picture}
            label={t('{name}, {index} of {count}', {
              name: picture.filename ?? t('photo'),
              index: index + 1,
              count: pictures.length,
            })}
            onOpen={onOpen && (() => onOpen(picture.id))}
            refresh={refresh}
            className={classes('w-full', columns[index] === 1 ? 'aspect-2/1' : 'aspect-square')}
          />
        </li>
      ))}
    </ul>
  );
}

/** The span in a grid of six columns, by the number of pictures in the row. */
const SPANS: Readonly<Record<number, string>> = {
  1: 'col-span-6',
  2: 'col-span-3',
  3: 'col-span-2',
};
