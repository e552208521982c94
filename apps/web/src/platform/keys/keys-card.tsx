import { rich } from '@stagedoor/browser/rich-text';
import type { PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import type { UseQueryResult } from '@tanstack/react-query';
import { ChevronRight, KeyRound, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { QueryError } from '../../ui/query-error.tsx';
import { KeyList } from './key-list.tsx';
import { type PlatformKeys, useRevokeKey } from './keys-queries.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { useRecheck } from './use-recheck.ts';

const KEY_SETTING = 'PLATFORM_API_KEY';

/** The API keys of the platform: create, view and revoke. */
export function KeysCard({ keys }: { keys: UseQueryResult<PlatformKeys> }) {
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
      title={t('Platform Keys')}
      aside={
        <Button variant="primary" onClick={() => setMaking(true)} icon={<Plus />}>
          {t('New Key')}
        </Button>
      }
      className="overflow-clip"
    >
      <div ref={body} tabIndex={-1} className="outline-none">
        {(isLate || revoke.error) && (
          <div className="flex flex-col gap-2 px-4 pb-4">
            {isLate && <QueryError query={keys} text={t('Couldn’t load the keys')} />}
            {revoke.error && (
              <ErrorBox text={errorText(revoke.error, t('Couldn’t revoke the key'))} />
            )}
          </div>
        )}
        {data && (
          <Keys
            keys={data.data}
            hasSettingsKey={data.has_settings_key}
            onRevoke={setRevoking}
            revokingId={revoke.isPending ? revoke.variables : null}
          />
        )}
      </div>
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revoking && (
        <ConfirmDialog
          title={t('Revoke “{name}”?', { name: revoking.name })}
          text={
            revoking.scope === 'payroll'
              ? t(
                  'Programs that use the key …{hint} will be rejected: they can no longer read pay periods. This can’t be undone, and they will need a new key.',
                  { hint: revoking.hint },
                )
              : t(
                  'Programs that use the key …{hint} will be rejected: they can no longer read, write for fans or report purchases. This can’t be undone, and they will need a new key.',
                  { hint: revoking.hint },
                )
          }
          confirmLabel={t('Revoke')}
          onClose={() => setRevoking(null)}
          onConfirm={() => {
            revoke.mutate(revoking.id, {
              onSuccess: ({ name }) => {
                showToast({ text: t('Key “{name}” revoked', { name }) });
                // The focused button was removed.
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
  hasSettingsKey: boolean;
  onRevoke: (key: PlatformKey) => void;
  revokingId: string | null;
}

function Keys({ keys, hasSettingsKey, onRevoke, revokingId }: KeysProps) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const id = useId();
  const used = keys.filter((key) => key.revoked_at === null);
  const revoked = keys.filter((key) => key.revoked_at !== null);
  return (
    <>
      {used.length > 0 && (
        <KeyList
          label={t('Platform Keys')}
          keys={used}
          onRevoke={onRevoke}
          revokingId={revokingId}
        />
      )}
      {hasSettingsKey && <SettingsKey />}
      {used.length === 0 && !hasSettingsKey && (
        <p className="border-t border-line px-4 py-2.5 text-control text-fg-3">
          {t(
            'With a key, an app, site or bot can act for fans through the platform API. Create one to begin.',
          )}
        </p>
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
              size={14}
              className={classes(
                'transition-transform duration-80 rtl:-scale-x-100',
                showsRevoked && 'rotate-90 rtl:-rotate-90',
              )}
            />
            {showsRevoked
              ? t('Hide Revoked Keys ({count})', { count: revoked.length })
              : t('Show Revoked Keys ({count})', { count: revoked.length })}
          </button>
          <div id={id} hidden={!showsRevoked}>
            {showsRevoked && <KeyList label={t('Revoked keys')} keys={revoked} isRevoked />}
          </div>
        </div>
      )}
    </>
  );
}

function SettingsKey() {
  return (
    <p className="flex items-start gap-2 border-t border-line px-4 py-2.5 text-control text-fg-2">
      <KeyRound className="mt-0.5" />
      <span className="min-w-0 wrap-anywhere">
        {rich(
          'One key is set on the server ({setting}, or a file in its data directory) and can only be changed there.',
          { setting: <code className="font-mono">{KEY_SETTING}</code> },
        )}
      </span>
    </p>
  );
}
