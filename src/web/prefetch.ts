import type { ScreenName } from '#core/navigation/screens.ts'
import { ROUTES } from '#web/routes.ts'
import { getSession } from '#web/session/session.ts'

/**
 * Where people go next: their code is fetched before, so that a press works without a network as well. Not the market for
 * visitors: it opens a connection, and who only reads has none.
 */
const FOR_VISITORS: readonly ScreenName[] = ['home', 'login', 'signup']
const FOR_USERS: readonly ScreenName[] = ['market', 'trade', 'wallet']

/** Begins when the screen in view has had the network for itself. */
const AFTER_MS = 2_000

/** Fetches the main screens one after another, a moment from now; not where the user saves data. Answers how to stop. */
export function prefetchMainScreens(): () => void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection
  if (connection?.saveData === true) return () => undefined
  const timer = setTimeout(() => {
    void (async () => {
      const isUser = getSession()?.user.ev === true
      for (const screen of isUser ? FOR_USERS : FOR_VISITORS) await ROUTES[screen].Screen.prepare()
      // The trade screen fetches its chart by itself, and without it stands empty.
      if (isUser) await import('#web/chart/price-chart.tsx').catch(() => undefined)
    })()
  }, AFTER_MS)
  return () => clearTimeout(timer)
}
