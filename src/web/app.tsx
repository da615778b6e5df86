import { Suspense, useEffect } from 'react'
import { MINUTE_MS } from '#core/time/instant.ts'
import { BottomBar } from '#ui/bottom-bar.tsx'
import { cx } from '#ui/cx.ts'
import { NavigateProvider } from '#ui/link.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { ROUTES } from '#web/routes.ts'
import { ErrorBoundary, ReloadButton } from '#web/shell/error-boundary.tsx'
import { lazyComponent } from '#ui/lazy-component.ts'
import { dismissNotice } from '#web/session/notice.ts'
import { LoadingPill } from '#web/shell/loading-pill.tsx'
import { prefetchMainScreens } from '#web/prefetch.ts'
import { navItems } from '#web/shell/nav-items.ts'
import { useGo, useScreenMatch } from '#web/session/navigation.ts'
import { ScreenOutlet } from '#web/screen-outlet.tsx'
import { useRealityCheck } from '#web/session/reality-check.ts'
import { useSession } from '#web/session/session.ts'
import { useSeenStates } from '#web/register/seen-states.ts'
import { useIsDemo, useSettings } from '#web/site/settings.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import { useIsTabletUp } from '#web/shell/use-is-desktop.ts'

const WideNavigation = lazyComponent(async () => {
  const [navigation] = await Promise.all([import('#web/shell/wide-navigation.tsx'), loadTexts('more')])
  return navigation.WideNavigation
})

/** Toasts for results and new devices, shown on every screen. Only logged-in users load the socket behind them. */
const LiveToasts = lazyComponent(async () => {
  const [toasts] = await Promise.all([import('#web/toasts/live-toasts.tsx'), loadTexts('trading')])
  return toasts.LiveToasts
})

const OrdersRail = lazyComponent(async () => {
  const [rail] = await Promise.all([import('#web/shell/orders-rail.tsx'), loadTexts('trading')])
  return rail.OrdersRail
})

/** A reality check is rare, so its code is loaded only when one is due. */
const RealityDialog = lazyComponent(async () => {
  const [dialog] = await Promise.all([import('#web/shell/reality-dialog.tsx'), loadTexts('trading')])
  return dialog.RealityDialog
})

/** Announcements are rare, so their code is loaded only when there is one. */
const Announcements = lazyComponent(async () => {
  const [announcements] = await Promise.all([import('#web/shell/announcements.tsx'), loadTexts('more')])
  return announcements.Announcements
})

/** A warning about the register is rare, so its code is loaded only when there is one. */
const RegisterBar = lazyComponent(async () => {
  const [bar] = await Promise.all([import('#web/register/register-bar.tsx'), loadTexts('more')])
  return bar.RegisterBar
})

/** 10 s: the first screen is complete by then. */
const LOOK_AFTER_MS = 10_000

function look(): void {
  const looking = import('#web/register/look-at-register.ts').then((one) => one.lookHourly())
  looking.catch(() => {
    // Without a connection the code cannot be loaded. The next check follows in an hour.
  })
}

/** Compares the register with what this browser has seen, soon after the start and each hour. */
function lookLater(): () => void {
  const first = setTimeout(look, LOOK_AFTER_MS)
  const later = setInterval(look, 10 * MINUTE_MS)
  return () => {
    clearTimeout(first)
    clearInterval(later)
  }
}

/** The frame around every screen: navigation for each window size, toasts, and the screen. */
export function App() {
  const go = useGo()
  const { screen } = useScreenMatch()
  const session = useSession()
  const token = session?.token
  const announced = useSettings()?.announcements
  const check = useRealityCheck()
  const { alarm } = useSeenStates()
  const isDemo = useIsDemo()
  const isTabletUp = useIsTabletUp()
  const items = navItems(screen, { isSignedIn: token !== undefined, isLeaveOnly: Boolean(session?.user.leaving) })
  const { isMain } = ROUTES[screen]

  useEffect(prefetchMainScreens, [token])
  useEffect(lookLater, [])
  useEffect(() => {
    if (token === undefined) return
    dismissNotice()
    void refreshUser()
  }, [token])

  return (
    <NavigateProvider value={go}>
      <ToastProvider dismissLabel={t('shell.dismiss')}>
        <SkipLink />
        {isTabletUp && (
          <ErrorBoundary instead={<ReloadBar />}>
            <Suspense fallback={<div className="hidden h-(--header-h) shrink-0 lg:block" />}>
              <WideNavigation items={items} />
            </Suspense>
          </ErrorBoundary>
        )}
        <div
          className={cx(
            'flex min-h-dvh flex-col md:ps-16 md:pb-0 lg:min-h-[calc(100dvh-var(--header-h))] lg:ps-0',
            isMain && 'pb-[calc(var(--tab-h)+env(safe-area-inset-bottom))]',
          )}
        >
          {session !== null && check !== null && (
            <ErrorBoundary instead={null}>
              <Suspense>
                <RealityDialog key={check.id} check={check} />
              </Suspense>
            </ErrorBoundary>
          )}
          {announced && (
            <ErrorBoundary instead={null}>
              <Suspense>
                <Announcements key={announced} />
              </Suspense>
            </ErrorBoundary>
          )}
          {alarm !== null && (
            <ErrorBoundary instead={null}>
              <Suspense>
                <RegisterBar alarm={alarm} isDemo={isDemo} />
              </Suspense>
            </ErrorBoundary>
          )}
          <ScreenOutlet />
          {isMain && screen !== 'trade' && session?.user.ev && (
            <ErrorBoundary instead={null}>
              <Suspense>
                <OrdersRail />
              </Suspense>
            </ErrorBoundary>
          )}
          <LoadingPill />
        </div>
        {isMain && <BottomBar label={t('shell.main_navigation')} items={items} />}
        {session?.user.ev && (
          <ErrorBoundary instead={null}>
            <Suspense>
              <LiveToasts />
            </Suspense>
          </ErrorBoundary>
        )}
      </ToastProvider>
    </NavigateProvider>
  )
}

function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed start-4 top-2 z-50 -translate-y-20 rounded-small bg-brand-solid px-4 py-2 text-small font-semibold text-on-brand focus:translate-y-0"
    >
      {t('shell.skip')}
    </a>
  )
}

/** Shown in place of the wide navigation when its code failed to load. */
function ReloadBar() {
  return (
    <div role="alert" className="flex items-center justify-end gap-4 p-3 text-small md:ps-19 lg:ps-3">
      {t('shell.reload_failed')}
      <ReloadButton />
    </div>
  )
}
