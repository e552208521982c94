import { formatClock } from '@stagedoor/browser/format';
import type { BundleFile } from '@stagedoor/contract/media';
import { AudioLines, Play } from 'lucide-react';
import { locale, t } from '../../lib/text/i18n.ts';
import { Picture } from '../../ui/picture.tsx';

interface BundleTilesProps {
  files: readonly BundleFile[];
  onOpen: ((fileId: string) => void) | undefined;
  refresh: () => Promise<void>;
}

/** A product's files as small tiles that open the gallery. Files that are free to view before buying are marked. */
export function BundleTiles({ files, onOpen, refresh }: BundleTilesProps) {
  return (
    <ul
      aria-label={t('Files')}
      className="flex h-17 gap-1 overflow-x-auto border-t border-line p-1.5"
    >
      {files.map((file, index) => (
        <li key={file.id} className="shrink-0">
          <button
            type="button"
            aria-label={labelOf(file, index)}
            disabled={!onOpen}
            onClick={() => onOpen?.(file.id)}
            className="relative block overflow-hidden rounded-chip text-badge focus-visible:-outline-offset-2"
          >
            <Picture url={file.preview_url} refresh={refresh} className="size-14" />
            {file.type !== 'image' && (
              <span className="absolute inset-0 flex flex-col items-center justify-center bg-[#0006] text-white tabular-nums">
                {file.type === 'video' ? <Play /> : <AudioLines />}
                {file.duration !== undefined && formatClock(file.duration)}
              </span>
            )}
            {file.free && (
              <span className="absolute inset-x-0 bottom-0 bg-good-bg font-medium text-good">
                {t('Free', 'file')}
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** Returns a tile's accessible name. It contains the visible text, so that voice control users can say what they see. */
function labelOf({ type, duration, free }: BundleFile, index: number): string {
  const facts = [
    { image: t('Photo'), video: t('Video'), audio: t('Audio') }[type],
    ...(duration === undefined ? [] : [formatClock(duration)]),
    ...(free ? [t('Free', 'file')] : []),
  ];
  return t('View file {place}: {name}', { place: index + 1, name: list.format(facts) });
}
