import { Badge } from '../../ui/badge.tsx';
import { conversionTone, formatRate } from '../charts/format.ts';

/** A conversion rate in percent, colored by how good it is. */
export function ConversionBadge({ rate }: { rate: number }) {
  return <Badge tone={conversionTone(rate)}>{formatRate(rate)}</Badge>;
}
