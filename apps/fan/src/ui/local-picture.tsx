import { useEffect, useRef } from 'react';

interface LocalPictureProps {
  file: File;
  className?: string;
}

/** A chosen picture that is not uploaded yet. */
export function LocalPicture({ file, className }: LocalPictureProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} alt={file.name} className={className} />;
}
