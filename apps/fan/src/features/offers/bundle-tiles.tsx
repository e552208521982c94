import { formatClock } from '@stagedoor/browser/format';
import type { BundleFile } from '@stagedoor/contract/media';
import { AudioLines, Play } from 'lucide-react';
import { t } from '../../lib/i18n.ts';
import { Picture } from '../../ui/picture.tsx';

interface BundleTilesProps {
  files: readonly BundleFile[];
  /** Whether only the free files can be opened. */
  locked: boolean;
  refresh: () => Promise<void>;
  onOpen: (fileId: string) => void;
}

/** Tiles for the product's files that can be opened: the free files before the purchase, all files after it. */
export function BundleTiles({ files, locked, refresh, onOpen }: BundleTilesProps) {
  const open = files.filter(({ url }) => url !== null);
  if (open.length === 0) return null;
  const label = locked ? t('Free preview') : t('All files');
  return (
    <div>
      {locked && <p className="mb-1 text-meta font-medium text-good">{label}</p>}
      <ul aria-label={label} className="grid grid-cols-3 gap-1">
        {open.map((file, index) => (
          <li key={file.id}>
            <Picture
              url={file.preview_url}
              alt={t('{name}, {index} of {count}', {
                name: nameOf(file),
                index: index + 1,
                count: open.length,
              })}
              refresh={refresh}
              onOpen={() => onOpen(file.id)}
              className="aspect-square w-full rounded-control focus-visible:-outline-offset-2"
            >
              {file.type !== 'image' && <Kind file={file} />}
            </Picture>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns a tile's accessible name. It contains the visible text, so that voice control users can say what they see. */
function nameOf({ type, duration }: BundleFile): string {
  const kind = { image: t('Photo'), video: t('Video'), audio: t('Audio') }[type];
  return duration === undefined ? kind : `${kind} ${formatClock(duration)}`;
}

function Kind({ file: { type, duration } }: { file: BundleFile }) {
  const Icon = type === 'video' ? Play : AudioLines;
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 bg-[#0005] text-white">
      <Icon size={22} strokeWidth={2} />
      {duration !== undefined && (
        <span className="text-meta font-medium tabular-nums">{formatClock(duration)}</span>
      )}
    </span>
  );
}
