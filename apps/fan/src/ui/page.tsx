import type { ReactNode } from 'react';

interface PageProps {
  /** An icon above the title. Set either this or `picture`. */
  icon?: ReactNode;
  picture?: ReactNode;
  title: string;
  children: ReactNode;
}

export function Page({ icon, picture, title, children }: PageProps) {
  return (
    <main className="flex h-full flex-col items-center overflow-y-auto px-6 pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)]">
      <div className="my-auto flex w-full max-w-[400px] flex-col items-center gap-3 py-10 text-center">
        {icon && (
          <span
            aria-hidden="true"
            className="flex size-20 items-center justify-center rounded-full bg-accent-bg text-accent-text"
          >
            {icon}
          </span>
        )}
        {picture}
        <h1 className="mt-2 text-display font-semibold tracking-tight text-balance">{title}</h1>
        {children}
      </div>
    </main>
  );
}
