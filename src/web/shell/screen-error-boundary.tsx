import { Component, type ReactNode } from 'react'
import { LoadError } from '#ui/states.tsx'
import { t } from '#web/i18n/t.ts'

interface State {
  failed: boolean
}

/** Catches what a screen throws while drawing: most often a chunk that a new release has replaced. */
export class ScreenErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <main id="content" className="p-4">
        <LoadError
          reason={t('shell.reload_failed')}
          retryLabel={t('shell.reload')}
          onRetry={() => globalThis.location.reload()}
        />
      </main>
    )
  }
}
