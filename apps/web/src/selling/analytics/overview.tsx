import type { EndpointReply } from '@stagedoor/contract/endpoint';
import type { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { t } from '../../lib/text/i18n.ts';
import { isQuiet } from '../charts/points.ts';
import { Activity } from './activity.tsx';
import { AdminTable } from './admin-table.tsx';
import { beforeOf } from './change.tsx';
import { ProductTable } from './product-table.tsx';
import type { SalesFilter } from './queries.ts';
import { SourceTable } from './source-table.tsx';
import { Tiles } from './tiles.tsx';

/** The sales to show in the dialog. */
export interface ShownSales {
  filter: SalesFilter;
  /** The filter in words. */
  whose: string;
}

interface OverviewProps {
  data: EndpointReply<typeof analyticsOverview>;
  onViewSales: (sales: ShownSales) => void;
}

/** The figures of a range: in total, over time, by source, by admin and by product. */
export function Overview({ data, onViewSales }: OverviewProps) {
  const before = beforeOf(data.previous, data.series.length);
  return (
    <>
      <div className="grid gap-4 @min-[960px]:grid-cols-[240px_minmax(0,1fr)]">
        <Tiles overview={data.overview} before={before} />
        <Activity
          series={data.series}
          isEmpty={isQuiet(data.series)}
          overview={data.overview}
          before={before}
        />
      </div>
      <SourceTable rows={data.sources} />
      <AdminTable
        rows={data.admin_performance}
        onViewSales={({ admin_id, admin_codename }) =>
          onViewSales({
            filter: { admin_id },
            whose: t('Sent by {admin}', { admin: admin_codename }),
          })
        }
      />
      <ProductTable
        rows={data.top_products}
        onViewSales={({ product_id, product_title }) =>
          onViewSales({ filter: { product_id }, whose: product_title })
        }
      />
    </>
  );
}
