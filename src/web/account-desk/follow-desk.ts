import { followAccount, mayRepeat, RETRY_MS } from '#web/account-desk/follow-account.ts'
import { SHARED_DESK } from '#web/account-desk/shared-desk.ts'
import { call } from '#web/api/call.ts'
import { drawingsInUse } from '#web/chart/drawings-in-use.ts'

/**
 * Keeps the settings of the chart, and the drawings of a symbol, the same on all devices of a user. Returns a function
 * to stop.
 */
export function followDesk(userId: string, symbol: string): () => void {
  const stops = [followAccount(SHARED_DESK, userId), followDrawings(userId, symbol)]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Loads the code of drawings only when the device or the account has drawings. A failed look at the account, or a failed
 * load of the code, is repeated.
 */
function followDrawings(userId: string, symbol: string): () => void {
  let isStopped = false
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = drawingsInUse.subscribe(attempt)
  const hasDrawings = async () => {
    if (drawingsInUse.get()) return true
    const { data } = await call('GET /user/drawings/:product', { params: { product: symbol } })
    return data.drawings.length > 0 || drawingsInUse.get()
  }
  const begin = async () => {
    if (!(await hasDrawings())) return
    const { sharedDrawings } = await import('#web/account-desk/shared-drawings.ts')
    stop()
    if (!isStopped) stop = followAccount(sharedDrawings(symbol), userId)
  }
  function attempt() {
    if (isBusy || isStopped) return
    isBusy = true
    clearTimeout(timer)
    begin()
      .catch((error: unknown) => {
        // Without a network the chart shows the drawings of this device.
        if (!isStopped && mayRepeat(error)) timer = setTimeout(attempt, RETRY_MS)
      })
      .finally(() => {
        isBusy = false
      })
  }
  attempt()
  return () => {
    isStopped = true
    clearTimeout(timer)
    stop()
  }
}
