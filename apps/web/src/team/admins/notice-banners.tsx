import { Banner } from '../../ui/banner.tsx';
import type { Notices } from './notices.ts';

/** Banners over the page, so that nothing moves when they appear. */
export function NoticeBanners({ notices }: { notices: Notices }) {
  const { failure, success, fail } = notices;
  return (
    <div className="pointer-events-none fixed inset-x-0 top-[max(8px,env(safe-area-inset-top))] z-30 mx-auto flex max-w-[592px] flex-col gap-2 px-4 md:top-16">
      {failure !== null && <Banner tone="danger" text={failure} onDismiss={() => fail(null)} />}
      {success !== null && <Banner tone="good" text={success} />}
    </div>
  );
}
