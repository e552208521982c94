import { bundleOf, bundleText, galleryId } from '@stagedoor/browser/bundles';
import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { formatPrice } from '@stagedoor/browser/money';
import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import { payWithTestCard } from '@stagedoor/contract/platform/fan-app';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { boxOf } from '../../lib/media-box.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { isAlreadyOwned } from './already-owned.ts';
import { BundleTiles } from './bundle-tiles.tsx';
import { PaymentWait } from './payment-wait.tsx';
import { type Checkout, useCheckout } from './use-checkout.ts';

const TestCardSheet = lazyExtra(async () => (await import('./test-card-sheet.tsx')).TestCardSheet);

interface OfferCardProps {
  messageId: string;
  attachment: FanVisibleAttachment;
  creatorName: string;
  refresh: () => Promise<void>;
  /** @param id the picture's id in the gallery */
  onOpen: (id: string) => void;
}

/** A product, blurred until it is bought. A product that was sent for free can't be bought. */
export function OfferCard(props: OfferCardProps) {
  const { messageId, attachment, creatorName, refresh, onOpen } = props;
  const { locked, is_paid, title, description, price, preview_url, thumbnail_url, url } =
    attachment;
  const { checkout, start, reset } = useCheckout(messageId, attachment.id, refresh);
  const isFresh = useJustUnlocked(locked);
  const name = title ?? t('Photo');
  const cost = formatPrice(price ?? 0);
  const bundle = bundleOf(attachment);
  const [first] = bundle;
  const box = boxOf(attachment.width, attachment.height);
  useEffect(() => {
    if (!locked) reset();
  }, [locked, reset]);
  return (
    <section
      aria-label={locked ? t('Locked: {name}', { name }) : name}
      className="w-[300px] max-w-full overflow-hidden rounded-card border border-line bg-surface text-fg shadow-float"
    >
      <Picture
        // The preview and the full picture are different images.
        key={locked ? 'locked' : 'open'}
        url={locked ? preview_url : (thumbnail_url ?? url)}
        alt={name}
        refresh={refresh}
        onOpen={
          locked
            ? undefined
            : () => onOpen(first ? galleryId(attachment.id, first.id) : attachment.id)
        }
        style={{ aspectRatio: Math.min(1.6, Math.max(0.8, box.width / box.height)) }}
        className="w-full"
        imageClassName={classes(locked && 'scale-110', isFresh && 'motion-safe:animate-unlock')}
      >
        {locked && (
          <span className="absolute inset-0 flex items-center justify-center bg-linear-to-t from-[#0008] to-[#0002]">
            <span className="flex size-14 items-center justify-center rounded-full bg-[#0008] text-white ring-1 ring-white/30">
              <LockKeyhole role="img" aria-label={t('Locked')} size={24} strokeWidth={2} />
            </span>
          </span>
        )}
      </Picture>
      <div className="flex flex-col gap-2 p-3.5">
        <div className="flex items-start gap-2">
          <h3 dir="auto" className="min-w-0 flex-1 text-message font-semibold wrap-anywhere">
            {name}
          </h3>
          {!locked && (
            <span className="mt-px inline-flex shrink-0 items-center gap-1 rounded-full bg-good-bg px-2 text-meta leading-5 font-semibold text-good">
              <LockKeyholeOpen size={12} strokeWidth={2.25} />
              {t('Unlocked')}
            </span>
          )}
        </div>
        {bundle.length > 0 && (
          <p className="-mt-1 text-control text-fg-2 tabular-nums">{bundleText(bundle)}</p>
        )}
        {description && (
          <p
            dir="auto"
            className="line-clamp-4 text-control whitespace-pre-line text-fg-2 wrap-anywhere"
          >
            {description}
          </p>
        )}
        <BundleTiles
          files={bundle}
          locked={locked}
          refresh={refresh}
          onOpen={(id) => onOpen(galleryId(attachment.id, id))}
        />
        {locked && !is_paid && (
          <p className="text-control text-fg-2">
            {t('Your payment was refunded, so this is locked again.')}
          </p>
        )}
        {locked && is_paid && (
          <Purchase
            checkout={checkout}
            cost={cost}
            creatorName={creatorName}
            onStart={() => void start()}
            onCancel={reset}
          />
        )}
        <p role="status" className="sr-only">
          {isFresh && t('{name} is unlocked', { name })}
        </p>
      </div>
      {checkout.phase === 'card' && locked && (
        <TestCardSheet
          title={t('Unlock {name}', { name })}
          cost={cost}
          pay={async (card) => {
            try {
              const body = { message_id: messageId, attachment_id: attachment.id, ...card };
              await call(payWithTestCard, { body });
            } catch (error) {
              if (!isAlreadyOwned(error)) throw error;
            }
            await refresh();
          }}
          onClose={reset}
        />
      )}
    </section>
  );
}

interface PurchaseProps {
  checkout: Checkout;
  cost: string;
  creatorName: string;
  onStart: () => void;
  onCancel: () => void;
}

function Purchase({ checkout, cost, creatorName, onStart, onCancel }: PurchaseProps) {
  if (checkout.phase === 'waiting') {
    return (
      <div className="flex flex-col gap-1">
        <PaymentWait url={checkout.url} hint={t('It unlocks automatically after payment.')}>
          <Button variant="plain" onClick={onCancel} className={checkout.url ? '' : '-ms-4'}>
            {t('Cancel')}
          </Button>
        </PaymentWait>
      </div>
    );
  }
  return (
    <>
      {checkout.phase === 'failed' && <Notice text={checkout.error} />}
      {checkout.phase === 'elsewhere' && (
        <p
          role="status"
          className="rounded-control bg-surface-2 px-3 py-2.5 text-control text-fg-2"
        >
          {t(
            'You can buy this where you follow {name}. Go back there to pay, and it unlocks here automatically.',
            { name: creatorName },
          )}
        </p>
      )}
      <Button
        variant="warm"
        busy={checkout.phase === 'starting'}
        onClick={onStart}
        className="w-full"
      >
        {t('Unlock for {price}', { price: cost })}
      </Button>
    </>
  );
}

/** Returns whether the product was unlocked while it was shown. */
function useJustUnlocked(locked: boolean): boolean {
  const before = useRef(locked);
  const [isFresh, setFresh] = useState(false);
  useEffect(() => {
    setFresh(before.current && !locked);
    before.current = locked;
  }, [locked]);
  return isFresh;
}
