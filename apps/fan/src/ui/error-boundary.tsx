import { CloudOff } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Page } from './page.tsx';

/** Shows an error page instead of an empty window if rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Page icon={<CloudOff size={34} strokeWidth={1.75} />} title={t('This page didn’t load')}>
        <p className="text-balance text-fg-2">{t('Check your connection and try again.')}</p>
        <Button onClick={() => window.location.reload()} className="mt-2">
          {t('Try again')}
        </Button>
      </Page>
    );
  }
}
