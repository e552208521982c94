import { objectionTo, typeOf } from '@stagedoor/browser/file-rules';
import { formatBytes } from '@stagedoor/browser/format';
import { uuid } from '@stagedoor/browser/uuid';
import { BUNDLE_FILES_MAX, BUNDLE_MAX_BYTES } from '@stagedoor/contract/media';
import { useEffect, useRef, useState } from 'react';
import { type MediaFacts, readMedia } from '../../lib/read-media.ts';
import { t } from '../../lib/text/i18n.ts';
import type { ListedFile } from './bundle-list.tsx';

/** A file chosen for a new product. */
export interface ChosenMedia extends ListedFile {
  file: File;
  facts: Promise<MediaFacts>;
}

/** Manages the files of a new product. @param onCover called with each picture that can be the product's image */
export function useBundle(onCover: (image: File) => void) {
  const [files, setFiles] = useState<ChosenMedia[]>([]);
  const urls = useRef<string[]>([]);
  useEffect(() => () => urls.current.forEach(URL.revokeObjectURL), []);
  const showFile = (file: Blob) => {
    const url = URL.createObjectURL(file);
    urls.current.push(url);
    return url;
  };
  return {
    files,
    setFiles,
    /** Adds the files that fit. Returns why others were not added, or null if all were. */
    add(given: readonly File[]): string | null {
      const objections = given.flatMap((file) => refusalOf(file) ?? []);
      const fit = given.filter((file) => refusalOf(file) === null);
      const room = BUNDLE_FILES_MAX - files.length;
      if (fit.length > room)
        objections.push(
          t('A product can have at most {count} files.', { count: BUNDLE_FILES_MAX }),
        );
      const all = [...files.map(({ file }) => file), ...fit.slice(0, room)];
      if (all.reduce((bytes, { size }) => bytes + size, 0) > BUNDLE_MAX_BYTES)
        return t('The files of a product can have at most {size} together.', {
          size: formatBytes(BUNDLE_MAX_BYTES),
        });
      const added = fit.slice(0, room).map((file): ChosenMedia => {
        const type = kindOf(file);
        const facts = readMedia(file);
        const id = uuid();
        void facts.then(({ duration, frame }) => {
          if (frame !== null) onCover(frame);
          const picture = frame && showFile(frame);
          setFiles((held) =>
            held.map((each) =>
              each.id === id ? { ...each, duration, picture: picture ?? each.picture } : each,
            ),
          );
        });
        if (type === 'image') onCover(file);
        const picture = type === 'image' ? showFile(file) : null;
        return { id, name: file.name, type, picture, duration: null, free: false, file, facts };
      });
      setFiles([...files, ...added]);
      return objections[0] ?? null;
    },
  };
}

function kindOf(file: File): ListedFile['type'] {
  const type = typeOf(file);
  return type === 'file' ? 'image' : type;
}

function refusalOf(file: File): string | null {
  return typeOf(file) === 'file'
    ? t('{name} isn’t a picture, video or audio file.', { name: file.name })
    : objectionTo(file);
}
