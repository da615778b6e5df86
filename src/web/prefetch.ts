import type { ScreenName } from '#core/navigation/screens.ts'
import { ROUTES } from '#web/routes.ts'
import { getSession } from '#web/session/session.ts'

/**
 * The screens that users open next. Their code is loaded in advance, so that they open without a network. The market is
 * not loaded in advance for visitors: it opens a connection that readers do not need.
 */
const FOR_VISITORS: readonly ScreenName[] = ['home', 'login', 'signup']
const FOR_USERS: readonly ScreenName[] = ['market', 'trade', 'wallet']

/** The parts that phones need to watch an order, which the trade screen loads separately. */
const partsOfTrading = () => [
  import('#web/chart/price-chart.tsx'),
  import('#web/screens/trade/order-panes.ts'),
  import('#web/screens/trade/recent-trades.tsx'),
]

/** 2 s: the current screen loads first without competition. */
const AFTER_MS = 2_000

/**
 * Loads the main screens one after another after a short delay, unless the user saves data. Returns a function that
 * stops it.
 */
export function prefetchMainScreens(): () => void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection
  if (connection?.saveData === true) return () => undefined
  const timer = setTimeout(() => {
    void (async () => {
      const isUser = getSession()?.user.ev === true
      for (const screen of isUser ? FOR_USERS : FOR_VISITORS) await ROUTES[screen].Screen.prepare()
      if (isUser) await Promise.allSettled(partsOfTrading())
      performance.mark('main screens are loaded')
    })()
  }, AFTER_MS)
  return () => clearTimeout(timer)
}
