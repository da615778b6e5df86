import { Component, type ReactNode } from 'react'
import { LoadError } from '#ui/states.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Shows an error with a retry button when a page fails to load or crashes. The navigation stays. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <main id="content" className="mx-auto max-w-[480px] pt-24">
        <LoadError
          reason={t('common.page_failed')}
          retryLabel={t('common.retry')}
          onRetry={() => globalThis.location.reload()}
        />
      </main>
    )
  }
}
