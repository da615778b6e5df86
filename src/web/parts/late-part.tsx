import { type ComponentType, type FunctionComponent, type ReactNode, Suspense, useState } from 'react'
import { type Preloadable, preloadable } from '#ui/preloadable.tsx'
import { useIsOnline } from '#ui/state/online.ts'
import { t } from '#web/i18n/t.ts'
import { ErrorBoundary, ReloadButton } from '#web/parts/error-boundary.tsx'
import { useTryAgain } from '#web/parts/use-try-again.ts'

interface LatePartOptions<P> {
  /** Shown while the code loads. The default is nothing. */
  loading?: (props: P) => ReactNode
  /** Shown when the code failed to load. The default is a message about the failure. */
  failed?: ReactNode
}

/**
 * Creates a part of the page whose code loads on first render or earlier by `prepare`. If the code fails to load, the
 * rest of the page stays, and the part appears as soon as its code loads.
 */
export function latePart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { loading, failed = <PartFailed /> }: LatePartOptions<P> = {},
): FunctionComponent<P> & Pick<Preloadable<P>, 'prepare'> {
  const Part = preloadable(load)
  function LatePart(props: P) {
    return (
      <ErrorBoundary
        renderInstead={(tryAgain) => (
          <TryingAgain part={Part} onReady={tryAgain}>
            {failed}
          </TryingAgain>
        )}
      >
        <Suspense fallback={loading?.(props)}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  return Object.assign(LatePart, { prepare: Part.prepare })
}

interface TryingAgainProps {
  part: Pick<Preloadable<object>, 'prepare' | 'isReady'>
  onReady: () => void
  children: ReactNode
}

function TryingAgain({ part, onReady, children }: TryingAgainProps) {
  const isOnline = useIsOnline()
  const [failedOffline] = useState(!isOnline)
  // If the code was loaded and failed while the device was online, the code has a bug. Another attempt would fail too.
  useTryAgain(async () => (failedOffline || !part.isReady()) && part.prepare(), onReady)
  return children
}

function PartFailed() {
  const isOnline = useIsOnline()
  return (
    <div className="flex flex-col items-center gap-3 p-4 text-center text-small text-fg-2">
      <p role="alert">{t('shell.reload_failed')}</p>
      {isOnline && <ReloadButton />}
    </div>
  )
}
