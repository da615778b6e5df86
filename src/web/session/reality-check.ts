import type { RealityCheckMessage } from '#contract/live/app-socket.ts'
import { storeOfUser } from '#web/session/store-of-user.ts'
import { useStore } from '#ui/state/store.ts'

/**
 * The facts of the session that the user has to see and answer before the next order. `RealityDialog` in the shell
 * decides when the dialog appears.
 */
export type RealityCheck = RealityCheckMessage['data']

const due = storeOfUser<RealityCheck | null>(null)

/**
 * Sets the check that is due, from a message of the server. Null: no check is due any more, for example because the
 * user answered it on another device.
 */
export function setRealityCheck(next: RealityCheck | null): void {
  due.set(next)
}

/** Returns the check that is due; null while there is none. */
export function useRealityCheck(): RealityCheck | null {
  return useStore(due)
}
