import { lazyPart } from '@stagedoor/browser/lazy-part';
import { Suspense } from 'react';
import { AddAdminForm } from '../team/admins/add-admin-form.tsx';
import { AdminTiles } from '../team/admins/admin-tiles.tsx';
import { NoticeBanners } from '../team/admins/notices.tsx';
import { StaffSection } from '../team/admins/staff-section.tsx';
import { useStaff } from '../team/admins/use-staff.ts';
import { PictureCard } from '../team/creator/picture-card.tsx';

export const AnalyticsSection = lazyPart(
  async () => (await import('../selling/analytics/analytics-section.tsx')).AnalyticsSection,
);

/** The creator, the staff and their permissions, and analytics. */
export function TeamSection() {
  const staff = useStaff();
  return (
    <>
      <NoticeBanners notices={staff.notices} />
      <div className="flex flex-col gap-4 lg:gap-6">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:gap-6 xl:grid-cols-[352px_minmax(0,1fr)]">
          <PictureCard />
          <div className="flex flex-col gap-4 lg:gap-6">
            <AdminTiles admins={staff.admins} />
            <AddAdminForm add={staff.add} />
          </div>
        </div>
        <StaffSection staff={staff} />
        {/* Shown only once the list above has its final height, so that analytics don't move. */}
        {!staff.list.isPending && (
          <Suspense>
            <AnalyticsSection />
          </Suspense>
        )}
      </div>
    </>
  );
}
