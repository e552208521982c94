import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { errorText } from '../../lib/server/api.ts';
import { displayName, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { loadForPrint, PRINTED_MAX, type PrintedMessages } from './print-messages.ts';
import { Printout } from './printout.tsx';

interface PrintDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

/** Loads a conversation's messages and opens the browser's print dialog. */
export function PrintDialog({ conversation: { id, fan }, onClose }: PrintDialogProps) {
  const { count, printed, error, retry } = usePrinted(id);
  const [printedAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    // Waits a frame, so that the printout is on the page.
    if (printed === null) return;
    const frame = requestAnimationFrame(() => window.print());
    return () => cancelAnimationFrame(frame);
  }, [printed]);
  const fanName = displayName(fan);
  return (
    <Dialog
      title={t('Print Conversation')}
      subtitle={t('With {name}', { name: fanName })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{printed === null ? t('Cancel') : t('Close')}</Button>
          <Button variant="primary" disabled={printed === null} onClick={() => window.print()}>
            {t('Print')}
          </Button>
        </>
      }
    >
      {error !== null && <ErrorBox text={error} onRetry={retry} />}
      <p role="status" className="flex min-h-8 items-center gap-2 text-fg-2 tabular-nums">
        {printed === null && error === null && (
          <>
            <Spinner />
            {count > 0
              ? t('Loading messages... {count}', { count: formatCount(count) })
              : t('Loading messages...')}
          </>
        )}
        {printed !== null && <Ready count={printed.messages.length} isCut={printed.isCut} />}
      </p>
      {printed !== null &&
        createPortal(
          <Printout
            fanName={fanName}
            username={fan.username}
            printedAt={printedAt}
            messages={printed.messages}
            isCut={printed.isCut}
          />,
          document.body,
        )}
    </Dialog>
  );
}

function Ready({ count, isCut }: { count: number; isCut: boolean }) {
  if (isCut)
    return t('Only the newest {count} messages are printed.', { count: formatCount(PRINTED_MAX) });
  return t(
    '{count, plural, one {# message is ready to print.} other {# messages are ready to print.}}',
    { count },
  );
}

/** Returns the messages to print, or how many are loaded, or the error. */
function usePrinted(id: string) {
  const [tries, setTries] = useState(0);
  const [count, setCount] = useState(0);
  const [printed, setPrinted] = useState<PrintedMessages | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    loadForPrint(id, setCount, signal).then(
      (loaded) => {
        if (!signal.aborted) setPrinted(loaded);
      },
      (failure: unknown) => {
        if (!signal.aborted) setError(errorText(failure, t('Failed to load messages')));
      },
    );
    return () => aborter.abort();
  }, [id, tries]);
  const retry = () => {
    setCount(0);
    setError(null);
    // Changing the state starts another try.
    setTries((before) => before + 1);
  };
  return { count, printed, error, retry };
}
