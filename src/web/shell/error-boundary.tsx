import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'

interface ErrorBoundaryProps {
  children: ReactNode
  /** What stands there instead; a page that says so and offers to load again, if nothing is given. */
  instead?: ReactNode
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
    return this.props.instead === undefined ? <FailedPage /> : this.props.instead
  }
}

function FailedPage() {
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
