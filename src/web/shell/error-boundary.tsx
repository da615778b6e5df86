import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'

interface ErrorBoundaryProps {
  children: ReactNode
  /** What stands there instead; a page that says so and offers to load again, if nothing is given. */
  instead?: ReactNode
  /** The same, told how to try again. */
  renderInstead?: (tryAgain: () => void) => ReactNode
}

interface State {
  failed: boolean
}

/** Keeps to its own part of the page what that throws while drawing: most often its code could not be fetched. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const { instead, renderInstead } = this.props
    if (renderInstead) return renderInstead(() => this.setState({ failed: false }))
    return instead === undefined ? <FailedPage /> : instead
  }
}

/** Says that something went wrong, with the one thing to do about it. */
export function FailedPage() {
  return (
    <main id="content" role="alert" className="m-auto flex flex-col items-center gap-4 p-6 text-center">
      <p>{t('shell.reload_failed')}</p>
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
