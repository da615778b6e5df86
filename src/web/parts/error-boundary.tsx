import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'

interface ErrorBoundaryProps {
  children: ReactNode
  /** Renders the replacement with a function that retries. The default is a page with a reload button. */
  renderInstead?: (tryAgain: () => void) => ReactNode
}

interface State {
  failed: boolean
}

/** Catches render errors in its part of the page, most often code that failed to load. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const { renderInstead } = this.props
    return renderInstead === undefined ? <FailedPage /> : renderInstead(() => this.setState({ failed: false }))
  }
}

/** An error page with a reload button. */
export function FailedPage() {
  return (
    <main id="content" className="m-auto flex flex-col items-center gap-4 p-6 text-center">
      <p role="alert">{t('shell.reload_failed')}</p>
      <ReloadButton />
    </main>
  )
}

export function ReloadButton() {
  return (
    <Button variant="secondary" size="m" onClick={() => globalThis.location.reload()}>
      {t('shell.reload')}
    </Button>
  )
}
