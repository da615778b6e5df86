import { followAccount } from '#web/account-desk/follow-account.ts'
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

/** Loads the code of drawings only when the device or the account has drawings. */
function followDrawings(userId: string, symbol: string): () => void {
  let isStopped = false
  let stop = drawingsInUse.subscribe(() => void begin())
  const begin = async () => {
    stop()
    const { sharedDrawings } = await import('#web/account-desk/shared-drawings.ts')
    if (!isStopped) stop = followAccount(sharedDrawings(symbol), userId)
  }
  const look = async () => {
    if (drawingsInUse.get()) return begin()
    const { data } = await call('GET /user/drawings/:product', { params: { product: symbol } })
    if (data.drawings.length > 0 && !drawingsInUse.get()) await begin()
  }
  look().catch(() => {
    // Without a network the chart shows the drawings of this device.
  })
  return () => {
    isStopped = true
    stop()
  }
}
