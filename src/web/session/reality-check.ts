import type { RealityCheckMessage } from '#contract/live/app-socket.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/** The session that the user has to look at before the next order. */
export type RealityCheck = RealityCheckMessage['data']

const due = createStore<RealityCheck | null>(null)

/** Called by the receiver of the server's messages. Null: the check was seen, maybe on another device. */
export function setRealityCheck(next: RealityCheck | null): void {
  due.set(next)
}

/** Returns the check that is due; null while there is none. */
export function useRealityCheck(): RealityCheck | null {
  return useStore(due)
}
