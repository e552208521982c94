import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { recheckAdmin } from '../features/auth/queries.ts';
import { Catalogue } from '../features/products/catalogue.tsx';
import { t } from '../lib/i18n.ts';
import { useAdmin } from '../lib/session.ts';
import { Toaster } from '../ui/toaster.tsx';
import { AccessDenied } from './access-denied.tsx';

const FOLDER = 'folder';

/** The products page, for those who manage admins. The permission may go while they look. */
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
    <>
      <Catalogue
        folderId={new URLSearchParams(search).get(FOLDER)}
        folderPath={(id) => (id === null ? '/products' : `/products?${FOLDER}=${id}`)}
        onFolderGone={() => void navigate('/products', { replace: true })}
        onRefused={onRefused}
      />
      <Toaster />
    </>
  );
}
