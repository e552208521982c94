import type { PlatformKey } from '@stagedoor/contract/platform-keys';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, KeyRound, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { errorText, isRateLimited } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { showToast } from '../../ui/toast.ts';
import { KeyList } from './key-list.tsx';
import { keysOptions, useRevokeKey } from './keys-queries.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { useRecheck } from './use-recheck.ts';

/** The keys by which programs reach the platform API: made, looked at and revoked. */
export function KeysCard() {
  const keys = useQuery(keysOptions);
  const revoke = useRevokeKey();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<PlatformKey | null>(null);
  const body = useRef<HTMLDivElement>(null);
  useRecheck(keys.error);
  useRecheck(revoke.error);
  const { data } = keys;
  const isLate = keys.error !== null && !(data && isRateLimited(keys.error));
  return (
    <Card
      title="Platform keys"
      aside={
        <Button
          variant="primary"
          onClick={() => setMaking(true)}
          icon={<Plus aria-hidden="true" size={16} strokeWidth={1.75} />}
        >
          New key
        </Button>
      }
      className="overflow-clip"
    >
      <div ref={body} tabIndex={-1} className="outline-none">
        {(isLate || revoke.error) && (
          <div className="flex flex-col gap-2 px-4 pb-4">
            {isLate && (
              <ErrorBox
                text={errorText(keys.error, 'Failed to load the keys')}
                onRetry={() => void keys.refetch()}
                retrying={keys.isFetching}
              />
            )}
            {revoke.error && (
              <ErrorBox text={errorText(revoke.error, 'Failed to revoke the key')} />
            )}
          </div>
        )}
        {keys.isPending && (
          <p
            role="status"
            className="flex items-center gap-2 border-t border-line px-4 py-3 text-control text-fg-3"
          >
            <Spinner /> Loading keys...
          </p>
        )}
        {data && (
          <Keys
            keys={data.data}
            onRevoke={setRevoking}
            revokingId={revoke.isPending ? revoke.variables : null}
          />
        )}
        {data?.has_settings_key && <SettingsKey />}
      </div>
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revoking && (
        <ConfirmDialog
          title={`Revoke “${revoking.name}”?`}
          text={`Every program that uses the key …${revoking.hint} is refused from then on: it can’t write for fans any more, read, or report purchases. This can’t be undone: such a program needs a new key.`}
          confirmLabel="Revoke"
          onCancel={() => setRevoking(null)}
          onConfirm={() => {
            setRevoking(null);
            revoke.mutate(revoking.id, {
              onSuccess: ({ name }) => {
                showToast({ text: `Key “${name}” revoked` });
                // The button that had the focus is gone.
                body.current?.focus({ preventScroll: true });
              },
            });
          }}
        />
      )}
    </Card>
  );
}

interface KeysProps {
  keys: readonly PlatformKey[];
  onRevoke: (key: PlatformKey) => void;
  /** The one that is being revoked. */
  revokingId: string | null;
}

function Keys({ keys, onRevoke, revokingId }: KeysProps) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const id = useId();
  const used = keys.filter((key) => key.revoked_at === null);
  const revoked = keys.filter((key) => key.revoked_at !== null);
  return (
    <>
      {used.length > 0 ? (
        <KeyList label="Platform keys" keys={used} onRevoke={onRevoke} revokingId={revokingId} />
      ) : (
        <div className="border-t border-line">
          <EmptyState
            icon={<KeyRound size={22} strokeWidth={1.75} />}
            title="No keys"
            text="A key lets an app, a site or a bot speak for the fans through the platform API."
          />
        </div>
      )}
      {revoked.length > 0 && (
        <div className="border-t border-line">
          <button
            type="button"
            aria-expanded={showsRevoked}
            aria-controls={id}
            onClick={() => setShowsRevoked(!showsRevoked)}
            className="flex h-9 w-full items-center gap-1.5 px-4 text-start text-meta font-medium text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg focus-visible:-outline-offset-2 coarse:h-11"
          >
            <ChevronRight
              aria-hidden="true"
              size={14}
              strokeWidth={1.75}
              className={classes('transition-transform duration-80', showsRevoked && 'rotate-90')}
            />
            {showsRevoked ? 'Hide' : 'Show'} revoked keys ({revoked.length})
          </button>
          <div id={id} hidden={!showsRevoked}>
            {showsRevoked && <KeyList label="Revoked keys" keys={revoked} isRevoked />}
          </div>
        </div>
      )}
    </>
  );
}

function SettingsKey() {
  return (
    <p className="flex items-start gap-2 border-t border-line bg-bg px-4 py-2.5 text-meta text-fg-2">
      <KeyRound aria-hidden="true" size={14} strokeWidth={1.75} className="mt-px shrink-0" />
      <span>
        One more key comes from the server’s settings (
        <code className="font-mono">PLATFORM_API_KEY</code>, or a file in its data directory). It
        works beside these, and can only be changed there.
      </span>
    </p>
  );
}
