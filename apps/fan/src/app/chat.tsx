import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../ui/button.tsx';
import { Page, PageIcon } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Conversation } from './conversation.tsx';
import { createFanClient } from './fan-client.ts';

/** The conversation of the session with this token. */
export function Chat({ token }: { token: string }) {
  const [client] = useState(() => createFanClient(token));
  useEffect(() => client.start(), [client]);
  const home = useStore(client.store, (state) => state.home);
  const hasFailed = useStore(client.store, (state) => state.load === 'failed');
  const [isBusy, setBusy] = useState(false);
  if (home !== null) return <Conversation client={client} home={home} />;
  if (!hasFailed) return <Loading />;
  return (
    <Page
      picture={
        <PageIcon>
          <CloudOff size={34} strokeWidth={1.75} />
        </PageIcon>
      }
      title={t('We can’t reach your messages')}
    >
      <p className="text-balance text-fg-2">
        {t('They will appear here when you’re back online. What you typed is saved.')}
      </p>
      <Button
        busy={isBusy}
        onClick={() => {
          setBusy(true);
          void client.catchUp().finally(() => setBusy(false));
        }}
        className="mt-2"
      >
        {t('Try again')}
      </Button>
    </Page>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t('Loading your messages')} className="page-loading">
      <Spinner />
    </div>
  );
}
