import { type ReactNode, Suspense, useEffectEvent, useLayoutEffect } from 'react'
import { isSamePlace, whereTo } from '#core/navigation/where-to.ts'
import { ROUTES } from '#web/routes.ts'
import { ErrorBoundary, FailedPage } from '#web/shell/error-boundary.tsx'
import { useFullPath, useGo, useScreenMatch } from '#web/session/navigation.ts'
import { ScreenFailed } from '#web/shell/screen-failed.tsx'
import { ScreenFrame } from '#web/shell/screen-frame.tsx'
import { ScreenLoading } from '#web/shell/screen-loading.tsx'
import { useSession } from '#web/session/session.ts'
import { useDepositsAreOpen } from '#web/site/settings.ts'
import {
  isFirstOfSession,
  keepReturnPath,
  keepWantedPath,
  markVisited,
  returnPath,
  wantedPath,
} from '#web/session/visit.ts'

/** Draws the screen that the path names, or goes where the navigation rules say. */
export function ScreenOutlet() {
  const { screen, params } = useScreenMatch()
  const path = useFullPath()
  const go = useGo()
  const user = useSession()?.user
  const depositsAreOpen = useDepositsAreOpen()
  const destination = whereTo({
    screen,
    path,
    user: user ? { isVerified: user.ev, hasDeposits: user.has_deposits } : null,
    isFirstOfSession: isFirstOfSession(),
    returnPath: returnPath(),
    depositsAreOpen,
  })
  const to = destination.kind === 'go' ? destination.to : null
  const follow = useEffectEvent(() => {
    markVisited()
    if (destination.kind === 'stay') {
      // There by another way: nothing is left to be offered.
      if (wantedPath() !== null && isSamePlace(wantedPath() ?? '', path)) keepWantedPath(null)
      return
    }
    if (destination.forgetReturn) keepReturnPath(null)
    if (destination.rememberReturn !== undefined) keepReturnPath(destination.rememberReturn)
    if (destination.offer !== undefined) keepWantedPath(destination.offer)
    go(destination.to, { replace: true })
  })

  // Before anything is painted, so that nobody sees a screen they are only passing through.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new path, or a new destination of the same, is what to follow
  useLayoutEffect(() => {
    follow()
  }, [path, to])
  const [place] = path.split('?')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- every new place starts at its top; a result that the address names does not move it
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
      // With its code there, it is the screen itself that failed, and would again.
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
