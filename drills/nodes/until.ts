import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition is true. Throws when it is still false after the time limit. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`timed out waiting for: ${isSo.toString()}`)
    await pause(50)
  }
}
