import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { Catalogue } from '../selling/products/catalogue.tsx';
import { recheckAdmin } from '../team/auth/queries.ts';
import { AccessDenied } from './access-denied.tsx';

const FOLDER = 'folder';

/** The products page, for admins who can manage admins. The permission may be revoked while the page is open. */
export function ProductsPage() {
  const { permissions } = useAdmin();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const onRefused = useCallback(() => recheckAdmin(client), [client]);
  if (!permissions.can_manage_admins) {
    return <AccessDenied text={t('You do not have permission to access products.')} />;
  }
  return (
    <Catalogue
      folderId={new URLSearchParams(search).get(FOLDER)}
      folderPath={(id) => (id === null ? '/products' : `/products?${FOLDER}=${id}`)}
      onFolderGone={() => void navigate('/products', { replace: true })}
      onRefused={onRefused}
    />
  );
}
