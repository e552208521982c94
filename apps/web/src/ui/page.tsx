import { type ReactNode, useEffect } from 'react';
import { t } from '../lib/text/i18n.ts';

interface PageProps {
  title: string;
  /** The window's title; by default the page's. */
  windowTitle?: string;
  /** Shown beside the title. */
  badge?: ReactNode;
  /** The buttons that lead to other pages. */
  actions: ReactNode;
  children: ReactNode;
}

/** A page other than the inbox. Its title and navigation stay in view while its content scrolls. */
export function Page({ title, windowTitle = title, badge, actions, children }: PageProps) {
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  return (
    <div className="relative h-full overflow-x-hidden overflow-y-scroll overscroll-contain bg-bg">
      <header className="z-20 border-b border-line bg-surface pt-[env(safe-area-inset-top)] md:sticky md:top-0">
        <div className="mx-auto flex min-h-14 max-w-[1344px] items-center gap-2 px-4 py-2">
          <div className="me-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-title font-semibold tracking-tight wrap-anywhere">
              <bdi>{title}</bdi>
            </h1>
            {badge}
          </div>
          <nav aria-label={t('Pages')} className="flex items-center gap-2">
            {actions}
          </nav>
        </div>
      </header>
      <main className="mx-auto max-w-[1344px] px-4 pt-4 pb-[max(32px,env(safe-area-inset-bottom))] md:pt-6">
        {children}
      </main>
    </div>
  );
}
