import { followAccount } from '#web/account-desk/follow-account.ts'
import { SHARED_DESK } from '#web/account-desk/shared-desk.ts'
import { sharedDrawings } from '#web/account-desk/shared-drawings.ts'

/** Keeps the settings of the chart, and the drawings of a symbol, the same on all devices of a user. Returns a function to stop. */
export function followDesk(userId: string, symbol: string): () => void {
  const stops = [followAccount(SHARED_DESK, userId), followAccount(sharedDrawings(symbol), userId)]
  return () => {
    for (const stop of stops) stop()
  }
}
