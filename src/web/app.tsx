import { useEffect } from 'react'
import { MINUTE_MS } from '#core/time/instant.ts'
import { BottomBar } from '#ui/bottom-bar.tsx'
import { cx } from '#ui/cx.ts'
import { NavigateProvider } from '#ui/link.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { ROUTES } from '#web/routes.ts'
import { ReloadButton } from '#web/parts/error-boundary.tsx'
import { latePart } from '#web/parts/late-part.tsx'
import { useAccount } from '#web/session/account.ts'
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

/** The options of parts that leave no gap in the page when their code failed to load. */
const HIDDEN = { failed: null }

const WideNavigation = latePart(
  async () => {
    const [navigation] = await Promise.all([import('#web/shell/wide-navigation.tsx'), loadTexts('more')])
    return navigation.WideNavigation
  },
  {
    loading: () => <div className="hidden h-(--header-h) shrink-0 lg:block" />,
    failed: <ReloadBar />,
  },
)

/**
 * Toasts for results, new devices, alerts and updates, shown on every screen. Only logged-in users load the socket
 * behind them.
 */
const LiveToasts = latePart(async () => {
  const [toasts] = await Promise.all([import('#web/toasts/live-toasts.tsx'), loadTexts('trading')])
  return toasts.LiveToasts
}, HIDDEN)

const OrdersRail = latePart(async () => {
  const [rail] = await Promise.all([import('#web/shell/orders-rail.tsx'), loadTexts('trading')])
  return rail.OrdersRail
}, HIDDEN)

/** A reality check is rare, so its code is loaded only when one is due. */
const RealityDialog = latePart(async () => {
  const [dialog] = await Promise.all([import('#web/shell/reality-dialog.tsx'), loadTexts('trading')])
  return dialog.RealityDialog
}, HIDDEN)

/** Announcements are rare, so their code is loaded only when there is one. */
const Announcements = latePart(async () => {
  const [announcements] = await Promise.all([import('#web/shell/announcements.tsx'), loadTexts('more')])
  return announcements.Announcements
}, HIDDEN)

/** A warning about the register is rare, so its code is loaded only when there is one. */
const RegisterBar = latePart(async () => {
  const [bar] = await Promise.all([import('#web/register/register-bar.tsx'), loadTexts('more')])
  return bar.RegisterBar
}, HIDDEN)

/** 10 s: the first screen is complete by then. */
const LOOK_AFTER_MS = 10_000

function look(): void {
  const looking = import('#web/register/look-at-register.ts').then((one) => one.lookHourly())
  looking.catch(() => {
    // Without a connection the code cannot be loaded. The next attempt follows in 10 minutes.
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
  const account = useAccount()
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
        {isTabletUp && <WideNavigation items={items} />}
        <div
          className={cx(
            'flex min-h-dvh flex-col md:ps-16 md:pb-0 lg:min-h-[calc(100dvh-var(--header-h))] lg:ps-0',
            isMain && 'pb-[calc(var(--tab-h)+env(safe-area-inset-bottom))]',
          )}
        >
          {session !== null && check !== null && <RealityDialog key={check.id} check={check} />}
          {announced && <Announcements key={announced} />}
          {alarm !== null && <RegisterBar alarm={alarm} isDemo={isDemo} />}
          <ScreenOutlet />
          {isMain && screen !== 'trade' && session?.user.ev && <OrdersRail key={account} />}
          <LoadingPill />
        </div>
        {isMain && <BottomBar label={t('shell.main_navigation')} items={items} />}
        {session?.user.ev && <LiveToasts />}
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
