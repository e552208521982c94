import type { Attachment } from '@stagedoor/contract/media';
import { classes } from '../../ui/classes.ts';
import { Audio, FileRow, Video } from './file-attachments.tsx';
import { CARD_WIDTH, PaidCard } from './paid-card.tsx';
import { Picture } from './picture.tsx';
import { boxOf } from './picture-size.ts';

/** What attachments ask of the conversation that they are in. */
export interface AttachmentHandlers {
  /** Shows a picture large; left out while it is on its way. */
  onOpen: ((attachmentId: string) => void) | undefined;
  /** Fetches the messages again, for URLs that work. */
  refresh: () => Promise<void>;
  onDownload: (attachmentId: string) => Promise<void>;
}

interface AttachmentsProps extends AttachmentHandlers {
  attachments: readonly Attachment[];
}

/** More pictures than these stand three in a row. */
const IN_PAIRS = 4;

/** What a message carries: what is for sale, its pictures together, then everything else. */
export function Attachments({ attachments, onOpen, refresh, onDownload }: AttachmentsProps) {
  const paid = attachments.filter(({ is_paid }) => is_paid);
  const free = attachments.filter(({ is_paid }) => !is_paid);
  const pictures = free.filter(({ type }) => type === 'image');
  const others = free.filter(({ type }) => type !== 'image');
  return (
    <div className="flex max-w-full flex-col gap-1">
      {paid.length > 0 && (
        <div style={{ width: CARD_WIDTH }} className="flex max-w-full flex-col gap-1">
          {paid.map((attachment) => (
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
        if (attachment.type === 'audio') return <Audio key={attachment.id} {...shared} />;
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

/** One picture in its own shape; several as a grid of squares. */
function Album({ pictures, onOpen, refresh }: AlbumProps) {
  const [only] = pictures;
  if (only && pictures.length === 1) {
    const box = boxOf(only.width, only.height);
    return (
      <Picture
        attachment={only}
        label={only.filename ?? 'photo'}
        onOpen={onOpen && (() => onOpen(only.id))}
        refresh={refresh}
        style={{ width: box.width, aspectRatio: box.width / box.height }}
        className="rounded-[11px]"
      />
    );
  }
  return (
    <ul
      aria-label={`${pictures.length} photos`}
      className={classes(
        'grid w-[340px] max-w-full gap-1 overflow-hidden rounded-[11px]',
        pictures.length > IN_PAIRS ? 'grid-cols-3' : 'grid-cols-2',
      )}
    >
      {pictures.map((picture, index) => (
        <li
          key={picture.id}
          className={classes(pictures.length === 3 && index === 0 && 'col-span-2')}
        >
          <Picture
            attachment={picture}
            label={`${picture.filename ?? 'photo'}, ${index + 1} of ${pictures.length}`}
            onOpen={onOpen && (() => onOpen(picture.id))}
            refresh={refresh}
            className={classes(
              'w-full',
              pictures.length === 3 && index === 0 ? 'aspect-2/1' : 'aspect-square',
            )}
          />
        </li>
      ))}
    </ul>
  );
}
