import { formatPrice } from '@stagedoor/browser/money';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { Pencil, Trash2 } from 'lucide-react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { fileCount } from './cache.ts';

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.75 } as const;

interface TemplateRowProps {
  template: Template;
  /** Each action is null if it is not allowed. */
  onUse: (() => void) | null;
  onEdit: (() => void) | null;
  onDelete: (() => void) | null;
  /** Why deleting failed. */
  failure: string | null;
  onRetry: () => void;
  busy: boolean;
}

/** A template with its text and product. */
export function TemplateRow(props: TemplateRowProps) {
  const { template, onUse, onEdit, onDelete, failure, onRetry, busy } = props;
  const { name, content, product, attachments, is_shared, uses, maker } = template;
  return (
    <li className="flex items-start gap-2 py-2.5 pe-2 ps-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {!is_shared && <Badge>{t('Only me')}</Badge>}
          {attachments.length > 0 && <Badge>{fileCount(attachments.length)}</Badge>}
          {product && (
            <Badge tone={product.is_active ? 'info' : 'warn'}>
              {product.is_active
                ? `${product.title} · ${formatPrice(product.price)}`
                : t('{product} · not for sale', { product: product.title })}
            </Badge>
          )}
        </p>
        {content.trim() !== '' && (
          <p
            dir="auto"
            className="line-clamp-2 text-control whitespace-pre-line wrap-break-word text-fg-2"
          >
            {content}
          </p>
        )}
        <p className="mt-0.5 text-meta text-fg-3">
          {is_shared && <span>{maker.codename} · </span>}
          {uses === 0 ? t('Not used yet') : t('Used {count}×', { count: formatCount(uses) })}
        </p>
      </div>
      <span className="flex shrink-0 items-center gap-0.5">
        {failure !== null && <RetryIcon text={failure} onRetry={onRetry} />}
        {onEdit && (
          <IconButton
            label={t('Edit {name}', { name })}
            onClick={onEdit}
            className="coarse:size-11"
          >
            <Pencil {...icon} />
          </IconButton>
        )}
        {onDelete && (
          <IconButton
            label={t('Delete {name}', { name })}
            onClick={onDelete}
            disabled={busy}
            className="coarse:size-11"
          >
            <Trash2 {...icon} />
          </IconButton>
        )}
        {onUse && (
          <Button aria-label={t('Use {name}', { name })} onClick={onUse} className="ms-1">
            {t('Use')}
          </Button>
        )}
      </span>
    </li>
  );
}
