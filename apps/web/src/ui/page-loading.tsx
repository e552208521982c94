import { t } from '../lib/text/i18n.ts';

/** A page that is on its way. The same markup stands in `index.html`, so that it is there from the first paint. */
export function PageLoading() {
  return (
    <div className="page-loading" role="status">
      <span className="spinner" />
      {t('Loading...')}
    </div>
  );
}
