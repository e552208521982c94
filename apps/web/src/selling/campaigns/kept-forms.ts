import { createStored } from '../../lib/server/stored.ts';
import type { CampaignValues } from './form-values.ts';

/** Unsaved input, and the version of the draft that it is based on. */
type KeptForm = CampaignValues & { readonly version?: number };
type Forms = Readonly<Record<string, KeptForm>>;

const NONE: Forms = {};

/** Unsaved input of campaigns, by id; `new` for a campaign that was never saved. It survives a reload. */
const forms = createStored<Forms>({
  name: 'campaigns',
  empty: NONE,
  parse: (text) => JSON.parse(text) as Forms,
  isEmpty: (held) => Object.keys(held).length === 0,
});

export const keptForm = (id: string): KeptForm | null => forms.get()[id] ?? null;

/** Stores unsaved input; null removes it. */
export function keepForm(id: string, values: KeptForm | null): void {
  const { [id]: _before, ...others } = forms.get();
  forms.set(values === null ? others : { ...others, [id]: values });
}

/** Returns whether there is unsaved input, so that signing out asks first. */
export const hasAnyKeptForm = (): boolean => Object.keys(forms.get()).length > 0;

/** Deletes the signed-in admin's unsaved input. Call it before a sign-out clears the session. */
export const clearKeptForms = (): void => forms.set(NONE);
