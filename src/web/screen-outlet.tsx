import { type ReactNode, Suspense, useEffectEvent, useLayoutEffect } from 'react'
import { isSamePlace, whereTo } from '#core/navigation/where-to.ts'
import { ROUTES } from '#web/routes.ts'
import { ErrorBoundary, FailedPage } from '#web/parts/error-boundary.tsx'
import { useFullPath, useGo, useScreenMatch } from '#web/session/navigation.ts'
import { navigationUser } from '#web/session/navigation-user.ts'
import { ScreenFailed } from '#web/shell/screen-failed.tsx'
import { ScreenFrame } from '#web/shell/screen-frame.tsx'
import { ScreenLoading } from '#web/shell/screen-loading.tsx'
import { useSession } from '#web/session/session.ts'
import { useDepositsAreOpen } from '#web/site/settings.ts'
import {
  isFirstOfSession,
  keepReturnPath,
  storeRequestedPath,
  markVisited,
  returnPath,
  requestedPath,
} from '#web/session/visit.ts'

/** Renders the screen of the current path, or redirects by the navigation rules. */
export function ScreenOutlet() {
  const { screen, params } = useScreenMatch()
  const path = useFullPath()
  const go = useGo()
  const user = useSession()?.user
  const depositsAreOpen = useDepositsAreOpen()
  const destination = whereTo({
    screen,
    path,
    user: user ? navigationUser(user) : null,
    isFirstOfSession: isFirstOfSession(),
    returnPath: returnPath(),
    depositsAreOpen,
  })
  const to = destination.kind === 'go' ? destination.to : null
  const follow = useEffectEvent(() => {
    markVisited()
    if (destination.kind === 'stay') {
      // The user reached the stored return path another way, so it is not offered again.
      if (requestedPath() !== null && isSamePlace(requestedPath() ?? '', path)) storeRequestedPath(null)
      return
    }
    if (destination.forgetReturn) keepReturnPath(null)
    if (destination.rememberReturn !== undefined) keepReturnPath(destination.rememberReturn)
    if (destination.offer !== undefined) storeRequestedPath(destination.offer)
    go(destination.to, { replace: true })
  })

  // Before the first paint, so that a screen that only redirects is never visible.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs for a new path, or a new destination of the same path
  useLayoutEffect(() => {
    follow()
  }, [path, to])
  const [place] = path.split('?')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new place scrolls to the top; a result named in the address does not
  useLayoutEffect(() => {
    globalThis.scrollTo(0, 0)
  }, [place])

  if (destination.kind === 'go') return null
  const { Screen, isMain } = ROUTES[screen]
  const frame = (content: ReactNode) => (
    <ScreenFrame screen={screen} isMain={isMain}>
      {content}
    </ScreenFrame>
  )
  return (
    <ErrorBoundary
      key={screen}
      // If the code was loaded, the screen itself failed, and a reload of the code would not help.
      renderInstead={(tryAgain) =>
        Screen.isReady() ? <FailedPage /> : frame(<ScreenFailed prepare={Screen.prepare} onReady={tryAgain} />)
      }
    >
      <Suspense fallback={frame(<ScreenLoading />)}>
        <Screen params={params} />
      </Suspense>
    </ErrorBoundary>
  )
}
