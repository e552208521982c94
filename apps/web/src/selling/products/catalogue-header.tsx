import { ArrowLeft, FolderCog, Plus } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';

interface CatalogueHeaderProps {
  onManageFolders: () => void;
  onCreate: () => void;
}

/** The page's title, the back link, and the actions for the whole catalog. */
export function CatalogueHeader({ onManageFolders, onCreate }: CatalogueHeaderProps) {
  return (
    <header className="flex shrink-0 items-center gap-2 border-b border-line bg-surface px-4 pt-[env(safe-area-inset-top)] max-md:flex-wrap max-md:gap-y-0 max-md:border-b-0 max-md:pb-1 md:h-14">
      <h1 className="me-auto text-title font-semibold tracking-tight max-md:w-full max-md:pt-3">
        {t('Products')}
      </h1>
      <Link
        to="/console"
        className="touch-target inline-flex h-8 items-center gap-1.5 rounded-control px-2.5 text-control font-medium whitespace-nowrap text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg max-md:-ms-2.5 max-md:text-meta coarse:h-11"
      >
        <ArrowLeft className="max-md:hidden rtl:-scale-x-100" />
        {t('Back to Console')}
      </Link>
      <Button
        onClick={onManageFolders}
        icon={<FolderCog className="max-md:hidden" />}
        className="max-md:ms-auto max-md:px-2.5 max-md:text-meta"
      >
        {t('Manage Folders')}
      </Button>
      <Button
        variant="primary"
        onClick={onCreate}
        icon={<Plus className="max-md:hidden" />}
        className="max-md:px-2.5 max-md:text-meta"
      >
        {t('Create Product')}
      </Button>
    </header>
  );
}
