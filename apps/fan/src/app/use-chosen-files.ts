import { acceptFiles } from '@stagedoor/browser/file-rules';
import { type DragEvent, useCallback, useState } from 'react';

const NOBODY: readonly File[] = [];

/** Collects the files for the next message: picked, pasted or dropped. */
export function useChosenFiles() {
  const [files, setFiles] = useState(NOBODY);
  const [objections, setObjections] = useState<readonly string[]>([]);
  const add = useCallback(
    (more: readonly File[]) => {
      if (more.length === 0) return;
      const taken = acceptFiles(files.length, more);
      setFiles([...files, ...taken.accepted]);
      setObjections(taken.objections);
    },
    [files],
  );
  const clear = useCallback(() => {
    setFiles(NOBODY);
    setObjections([]);
  }, []);
  const remove = useCallback((file: File) => {
    setFiles((held) => held.filter((each) => each !== file));
    setObjections([]);
  }, []);
  const dropProps = {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      add([...event.dataTransfer.files]);
    },
  };
  return { files, objections, add, remove, clear, dropProps };
}
