import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { type Crop, NO_IMAGE, objectionTo, WHOLE } from './crop.ts';
import { squareFile } from './draw.ts';
import { creatorOptions } from './queries.ts';
import { savePicture } from './save-picture.ts';

/** How long the card shows that the picture was saved. */
const RESET_MS = 2_000;

interface Chosen {
  picture: ImageBitmap;
  type: string;
}

/** Manages a new creator picture: choosing, cropping and saving. */
export function usePicture(creatorId: string | undefined) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [crop, setCrop] = useState<Crop>(WHOLE);
  const [objection, setObjection] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: async (taken: Chosen) => {
      if (creatorId === undefined) throw new Error(t('Failed to save profile picture'));
      return savePicture(creatorId, await squareFile(taken.picture, crop, taken.type));
    },
    onSuccess: (profile) => client.setQueryData(creatorOptions.queryKey, profile),
  });
  const { isSuccess, reset } = save;
  useEffect(() => () => chosen?.picture.close(), [chosen]);
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(() => {
      reset();
      setChosen(null);
    }, RESET_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, reset]);

  const cancel = () => {
    reset();
    setObjection(null);
    setChosen(null);
  };
  const choose = async (file: File) => {
    cancel();
    const refused = objectionTo(file);
    if (refused !== null) return setObjection(refused);
    try {
      const picture = await createImageBitmap(file);
      setCrop(WHOLE);
      setChosen({ picture, type: file.type });
    } catch {
      // The file claims to be an image but can't be decoded.
      setObjection(NO_IMAGE);
    }
  };
  return {
    chosen: chosen?.picture ?? null,
    crop,
    setCrop,
    choose,
    cancel,
    save: () => {
      if (chosen && !save.isPending) save.mutate(chosen);
    },
    isSaving: save.isPending,
    isSaved: isSuccess,
    errorText: objection ?? save.error?.message ?? null,
  };
}
