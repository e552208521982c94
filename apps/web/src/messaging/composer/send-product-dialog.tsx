import { formatPrice, parsePrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import { toCents } from '@stagedoor/contract/selling/cents';
import { listOffers, type Product, type ProductOffer } from '@stagedoor/contract/selling/products';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Clock, Package, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE, PRICE_INPUT } from '../../lib/text/price.ts';
import { productsOptions } from '../../selling/products/queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { guardRailsOptions, priceObjection } from '../guard-rails/queries.ts';
import type { OutgoingAttachment } from '../messages/outbox.ts';
import { offerOf, resendOf } from './offer.ts';
import { ProductChoice } from './product-choice.tsx';
import type { Preset } from './use-templates.tsx';

/** A price above this multiple of the catalog price may be a mistake, so it needs confirmation. */
const UNUSUAL_TIMES = 3;

/** Returns the query for the products that the conversation's fan was offered or has bought. */
const offersOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['offers', conversationId],
    queryFn: async ({ signal }): Promise<ProductOffer[]> =>
      (await call(listOffers, { params: { id: conversationId }, signal })).data,
    staleTime: 0,
  });

interface Unusual {
  price: number;
  /** The product's price in the catalog. */
  usual: number;
  go: () => void;
}

interface SendProductDialogProps {
  conversationId: string;
  /** The initial selection. */
  preset: Preset | null;
  fanName: string;
  /** Whether another message is being sent. The offer has to wait for it. */
  isSending: boolean;
  onSend: (offer: OutgoingAttachment) => void;
  /** Opens the dialog that schedules the offer. */
  onSchedule: (offer: OutgoingAttachment) => void;
  onClose: () => void;
}

/** The dialog to offer a product to the fan at a price. Products that the fan owns can be sent again for free. */
export function SendProductDialog(props: SendProductDialogProps) {
  const { conversationId, preset, fanName, isSending, onSend, onSchedule, onClose } = props;
  const products = useQuery(productsOptions);
  const { data: offers = [] } = useQuery(offersOptions(conversationId));
  const { data: rails } = useQuery(guardRailsOptions);
  const [picked, setPicked] = useState<Product | null>(null);
  const [priceText, setPriceText] = useState(preset?.price.toFixed(2) ?? '');
  const [isAsked, setAsked] = useState(false);
  /** A price that needs confirmation, and what to do once it is confirmed. */
  const [unusual, setUnusual] = useState<Unusual | null>(null);
  const priceField = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const price = parsePrice(priceText);
  useEffect(() => {
    if (products.error) console.error('Failed to fetch products', products.error);
  }, [products.error]);

  const active = products.data?.filter(({ is_active }) => is_active) ?? [];
  const chosen = picked ?? active.find(({ id }) => id === preset?.productId) ?? null;
  const ownedSince =
    offers.find(({ product_id }) => product_id === chosen?.id)?.purchased_at ?? null;
  const objection = price === null ? NO_PRICE : priceObjection(price, rails);
  const choose = (product: Product) => {
    setPicked(product);
    setPriceText(product.price.toFixed(2));
    setAsked(false);
  };
  const act = (go: (offer: OutgoingAttachment) => void) => {
    if (chosen === null) return;
    if (ownedSince !== null) go(resendOf(chosen, ownedSince));
    else if (price === null || objection !== null) {
      setAsked(true);
      priceField.current?.focus();
    } else if (toCents(price) > toCents(chosen.price) * UNUSUAL_TIMES) {
      setUnusual({ price, usual: chosen.price, go: () => go(offerOf(chosen, price)) });
    } else go(offerOf(chosen, price));
  };
  const hasError = chosen !== null && objection !== null && (isAsked || priceText.trim() !== '');

  if (products.isPending) {
    return (
      <Dialog isWide title={t('Send Product')} onClose={onClose}>
        <div className="h-60">
          <CenteredSpinner text={t('Loading products...')} />
        </div>
      </Dialog>
    );
  }
  if (active.length === 0) {
    return (
      <Dialog isWide title={t('Send Product')} onClose={onClose}>
        <NoProducts
          retry={
            products.error && (
              <IconButton
                label={t('Failed to fetch products. Retry')}
                aria-busy={products.isFetching}
                onClick={() => void products.refetch()}
                icon={<RotateCw />}
              />
            )
          }
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      isWide
      title={t('Send Product')}
      subtitle={t('To {name}', { name: fanName })}
      onClose={onClose}
      footer={
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending) act(onSend);
          }}
          className="flex w-full flex-wrap items-start justify-between gap-x-4 gap-y-2.5"
        >
          {chosen && (
            <p dir="auto" className="w-full truncate text-meta text-fg-2">
              {rich('{product} to {name}', {
                product: <span className="font-medium text-fg">{chosen.title}</span>,
                name: <span className="font-medium text-fg">{fanName}</span>,
              })}
            </p>
          )}
          {ownedSince === null && (
            <div className="min-w-0 max-md:w-full">
              <label className="flex items-center gap-2 text-control font-medium max-md:justify-between">
                {t('Price')}
                <span className="relative">
                  <span
                    aria-hidden="true"
                    className="absolute top-1/2 start-3 -translate-y-1/2 text-base text-fg-2"
                  >
                    $
                  </span>
                  <input
                    ref={priceField}
                    {...PRICE_INPUT}
                    value={priceText}
                    disabled={chosen === null}
                    onChange={(event) => setPriceText(event.currentTarget.value)}
                    // Holding down the Enter key that chose the product must not send it.
                    onKeyDown={(event) => {
                      if (event.repeat && event.key === 'Enter') event.preventDefault();
                    }}
                    aria-label={t('Price in US dollars')}
                    aria-invalid={hasError}
                    aria-describedby={hasError ? errorId : undefined}
                    className="h-10 w-32 rounded-control border border-control bg-surface pe-3 ps-7 text-base font-semibold text-fg tabular-nums aria-invalid:border-danger disabled:bg-surface-2 disabled:text-fg-3 coarse:h-11"
                  />
                </span>
              </label>
              {hasError && (
                <p id={errorId} role="alert" className="mt-1 text-meta text-danger-text">
                  {objection}
                </p>
              )}
            </div>
          )}
          <div className="ms-auto flex min-w-0 items-center gap-2 max-md:w-full">
            <IconButton
              label={t('Schedule Message')}
              disabled={chosen === null}
              onClick={() => act(onSchedule)}
              className="size-10 border border-control coarse:size-11"
              icon={<Clock />}
            />
            <Button
              type="submit"
              variant="primary"
              size="large"
              busy={isSending}
              disabled={chosen === null}
              aria-disabled={chosen !== null && ownedSince === null && objection !== null}
              className="min-w-0 tabular-nums max-md:flex-1"
            >
              <span className="flex min-w-0 max-w-64 flex-col leading-4 whitespace-normal">
                {chosen === null
                  ? t('Select a Product')
                  : ownedSince === null
                    ? t('Send for {price}', { price: shownPrice(price) })
                    : t('Send Again, Unlocked')}
                {chosen !== null && (
                  <span aria-hidden="true" dir="auto" className="truncate text-badge font-normal">
                    {t('To {name}', { name: fanName })}
                  </span>
                )}
              </span>
            </Button>
          </div>
        </form>
      }
    >
      <ProductChoice
        products={active}
        offers={offers}
        chosen={chosen}
        onChoose={choose}
        onEnter={(product) => {
          // The price field can't be focused until a product is chosen.
          flushSync(() => choose(product));
          priceField.current?.focus();
        }}
        refresh={async () => void (await products.refetch())}
      />
      {unusual && (
        <ConfirmDialog
          title={t('Send for {price}? Usually {usual}', {
            price: formatPrice(unusual.price),
            usual: formatPrice(unusual.usual),
          })}
          text={t('This is more than {times} times the catalog price.', {
            times: UNUSUAL_TIMES,
          })}
          confirmLabel={t('Send for {price}', { price: formatPrice(unusual.price) })}
          onClose={() => setUnusual(null)}
          onConfirm={() => unusual.go()}
        />
      )}
    </Dialog>
  );
}

function shownPrice(price: number | null): string {
  return price === null ? '$—' : formatPrice(price);
}

function NoProducts({ retry }: { retry: ReactNode }) {
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<Package size={22} />}
      title={t('No products available')}
      text={t('Create products in the Products page first, then you can send them in messages.')}
      action={
        <div className="flex items-center gap-2">
          <Button variant="primary" onClick={() => void navigate('/products')}>
            {t('Go to Products Page')}
          </Button>
          {retry}
        </div>
      }
    />
  );
}
