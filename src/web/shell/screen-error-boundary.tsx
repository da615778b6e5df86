import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
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
      <main id="content" role="alert" className="m-auto flex flex-col items-center gap-4 p-6 text-center">
        <p>{t('shell.reload_failed')}</p>
        <Button variant="secondary" size="m" onClick={() => globalThis.location.reload()}>
          {t('shell.reload')}
        </Button>
      </main>
    )
  }
}
