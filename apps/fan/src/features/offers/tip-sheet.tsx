import { formatPrice, parsePrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import { uuid } from '@stagedoor/browser/uuid';
import { startTipCheckout, tipWithTestCard } from '@stagedoor/contract/platform/fan-app';
import { TIP_MESSAGE_MAX_CHARS } from '@stagedoor/contract/selling/tips';
import { HandHeart } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { call, errorText } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { PAYING } from '../../lib/session.ts';
import { storedInTab } from '../../lib/stored.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PaymentWait } from './payment-wait.tsx';
import { TestCardSheet } from './test-card-sheet.tsx';
import { tipsBefore, tipsPaying } from './tip-amount.ts';
import { type Checkout, lead } from './use-checkout.ts';

interface TipSheetProps {
  creatorName: string;
  /** The number of the fan's tips. When it goes up, the payment has arrived. */
  tips: number;
  refresh: () => Promise<void>;
  onClose: () => void;
}

/** The amounts offered, in USD. */
const AMOUNTS = [5, 10, 20, 50];

/** Lets the fan choose an amount, add a message, and pay. */
export function TipSheet({ creatorName, tips, refresh, onClose }: TipSheetProps) {
  // A fan who returns from a payment page only waits for the result.
  const [returned] = useState(() => tipsBefore(storedInTab.get(PAYING)));
  const [before, setBefore] = useState(returned ?? tips);
  const [amount, setAmount] = useState('10');
  const [message, setMessage] = useState('');
  const [invalid, setInvalid] = useState(false);
  const [checkout, setCheckout] = useState<Checkout>(
    returned === null ? { phase: 'idle' } : { phase: 'waiting', url: null },
  );
  // A retry of the same tip keeps its id.
  const [clientId, setClientId] = useState(uuid);
  const isPaid = tips > before && checkout.phase !== 'idle';
  useEffect(() => {
    if (isPaid) storedInTab.remove(PAYING);
  }, [isPaid]);
  const isWaiting = checkout.phase === 'waiting' && !isPaid;
  useEffect(() => {
    if (!isWaiting) return;
    const ask = () => void refresh();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [isWaiting, refresh]);

  const usd = parsePrice(amount);
  const text = message.trim();
  const tip = { amount: usd ?? 0, ...(text !== '' && { message: text }) };
  const cost = formatPrice(usd ?? 0);
  const start = async () => {
    setCheckout({ phase: 'starting' });
    setBefore(tips);
    try {
      const { data } = await call(startTipCheckout, { body: { ...tip, client_id: clientId } });
      setCheckout(lead(data, tipsPaying(tips), { type: 'tip-requested', ...tip }));
    } catch (error) {
      setCheckout({
        phase: 'failed',
        error: errorText(error, t('That didn’t work. Check your connection and try again.')),
      });
    }
  };
  const reset = () => {
    storedInTab.remove(PAYING);
    setClientId(uuid());
    setCheckout({ phase: 'idle' });
  };
  const close = () => {
    storedInTab.remove(PAYING);
    onClose();
  };
  if (isPaid) {
    return (
      <Sheet title={t('Thank You!')} onClose={close}>
        <div className="flex flex-col items-center gap-4 pt-2 text-center">
          <span className="warm flex size-20 items-center justify-center rounded-full motion-safe:animate-unlock">
            <HandHeart aria-hidden="true" size={40} strokeWidth={1.75} />
          </span>
          <p role="status" className="text-message">
            {t('Your tip has reached {name}.', { name: creatorName })}
          </p>
          <Button onClick={close} className="w-full">
            {t('Done')}
          </Button>
        </div>
      </Sheet>
    );
  }
  const title = t('Send {name} a Tip', { name: creatorName });
  if (checkout.phase === 'card') {
    return (
      <TestCardSheet
        title={title}
        cost={cost}
        pay={async (card) => {
          await call(tipWithTestCard, { body: { ...tip, ...card } });
          await refresh();
        }}
        onClose={() =>
          setCheckout((held) => (held.phase === 'card' ? { phase: 'failed', error: '' } : held))
        }
      />
    );
  }
  if (isWaiting && checkout.phase === 'waiting') {
    return (
      <Sheet title={title} onClose={close}>
        <PaymentWait url={checkout.url}>
          <Button variant="plain" onClick={reset}>
            {t('Cancel')}
          </Button>
        </PaymentWait>
      </Sheet>
    );
  }
  return (
    <Sheet title={title} onClose={close}>
      <TipForm
        amount={amount}
        onAmount={(value) => {
          setAmount(value);
          setInvalid(false);
        }}
        invalid={invalid}
        message={message}
        onMessage={setMessage}
        checkout={checkout}
        creatorName={creatorName}
        onSubmit={() => {
          if (usd === null) setInvalid(true);
          else void start();
        }}
      />
    </Sheet>
  );
}

interface TipFormProps {
  amount: string;
  onAmount: (value: string) => void;
  invalid: boolean;
  message: string;
  onMessage: (value: string) => void;
  checkout: Checkout;
  creatorName: string;
  onSubmit: () => void;
}

function TipForm(props: TipFormProps) {
  const { amount, onAmount, invalid, message, onMessage, checkout, creatorName, onSubmit } = props;
  const errorId = useId();
  const usd = parsePrice(amount);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (checkout.phase !== 'starting') onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 pt-1">
      {checkout.phase === 'failed' && checkout.error !== '' && <Notice text={checkout.error} />}
      {checkout.phase === 'elsewhere' && (
        <p
          role="status"
          className="rounded-control bg-surface-2 px-3 py-2.5 text-control text-fg-2"
        >
          {t('You can tip where you follow {name}. Go back there to pay.', { name: creatorName })}
        </p>
      )}
      <fieldset className="grid grid-cols-4 gap-2">
        <legend className="sr-only">{t('Amounts')}</legend>
        {AMOUNTS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={usd === each}
            onClick={() => onAmount(String(each))}
            className={classes(
              'min-h-12 rounded-control border text-control font-semibold tabular-nums transition-colors',
              usd === each
                ? 'border-accent-text bg-accent text-white'
                : 'border-control bg-surface hover:bg-surface-2',
            )}
          >
            <bdi>{`$${each}`}</bdi>
          </button>
        ))}
      </fieldset>
      <label className="flex flex-col gap-1.5 text-control font-medium">
        {t('Amount in US dollars')}
        <input
          value={amount}
          onChange={(event) => onAmount(event.currentTarget.value)}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? errorId : undefined}
          className="h-12 min-w-0 rounded-control border border-control bg-surface px-3 text-message tabular-nums outline-none focus:border-accent-text aria-invalid:border-danger"
        />
        {invalid && (
          <span id={errorId} role="alert" className="font-normal text-danger">
            {t('Enter an amount, for example {amount}', { amount: '7.50' })}
          </span>
        )}
      </label>
      <label className="flex flex-col gap-1.5 text-control font-medium">
        {t('Message (optional)')}
        <textarea
          value={message}
          rows={2}
          dir="auto"
          maxLength={TIP_MESSAGE_MAX_CHARS}
          onChange={(event) => onMessage(event.currentTarget.value)}
          className="min-w-0 resize-none rounded-control border border-control bg-surface px-3 py-2.5 text-message outline-none focus:border-accent-text"
        />
      </label>
      <Button
        type="submit"
        variant="warm"
        busy={checkout.phase === 'starting'}
        className="min-h-12 w-full text-message"
      >
        {usd === null
          ? t('Send a Tip')
          : rich('Tip {amount}', { amount: <bdi>{formatPrice(usd)}</bdi> })}
      </Button>
    </form>
  );
}
