import { createStored } from '../../lib/server/stored.ts';
import type { CampaignValues } from './form-values.ts';

type Forms = Readonly<Record<string, CampaignValues>>;

/** Unsaved input of campaigns, by id; `new` for a campaign that was never saved. It survives a reload. */
const forms = createStored<Forms>({
  name: 'campaigns',
  empty: {},
  parse: (text) => JSON.parse(text) as Forms,
  isEmpty: (held) => Object.keys(held).length === 0,
});

export const keptForm = (id: string): CampaignValues | null => forms.get()[id] ?? null;

/** Stores unsaved input; null removes it. */
export function keepForm(id: string, values: CampaignValues | null): void {
  const { [id]: _before, ...others } = forms.get();
  forms.set(values === null ? others : { ...others, [id]: values });
}
