import { setTimeout as pause } from 'node:timers/promises'
import { residentBytes } from './report.ts'

/** `NODE_OPTIONS` for a process whose memory is measured. */
export const COLLECTOR = `--import ${new URL('collect-on-signal.mjs', import.meta.url).href}`
const [TIMES, EACH_MS] = [2, 1_500]
export const COLLECTING_MS = TIMES * EACH_MS

/**
 * Returns the memory of a process after two collections: memory freed by the first is returned to the system by the
 * second.
 */
export async function collectedBytes(pid: number): Promise<number> {
  for (let nth = 0; nth < TIMES; nth += 1) {
    process.kill(pid, 'SIGUSR2')
    await pause(EACH_MS)
  }
  return residentBytes(pid)
}
