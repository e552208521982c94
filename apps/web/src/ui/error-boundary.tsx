import { Component, type ReactNode } from 'react';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
}

/** Shows an error page instead of an empty window if rendering fails. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main role="alert" className="flex h-full items-center justify-center">
        <EmptyState
          title={t('Something went wrong')}
          text={t('Your text is saved. Reload the page to continue.')}
          action={
            <Button variant="primary" onClick={() => window.location.reload()}>
              {t('Reload')}
            </Button>
          }
        />
      </main>
    );
  }
}
