import { SECOND_MS } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** Error codes of lost races: a row that a concurrent transaction inserted first, and a deadlock. */
const LOST_RACES = new Set(['23505', '40P01'])
const MAX_ATTEMPTS = 5

/**
 * Runs work that several starting servers may do concurrently. It only adds missing rows, so it is retried after a
 * conflict.
 */
export async function retryOnConflict({ clock }: { readonly clock: Clock }, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_ATTEMPTS || !LOST_RACES.has(errorCode(error) ?? '')) throw error
      await new Promise<void>((resolve) => {
        clock.after(SECOND_MS / 2, resolve)
      })
    }
  }
}
