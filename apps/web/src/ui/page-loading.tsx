import { t } from '../lib/text/i18n.ts';

/** The loading state of a page. `index.html` has the same markup, so that it shows from the first paint. */
export function PageLoading() {
  return (
    <div className="page-loading" role="status">
      <span className="spinner" />
      {t('Loading...')}
    </div>
  );
}
