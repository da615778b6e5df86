import { setTimeout as pause } from 'node:timers/promises'
import { residentBytes } from './report.ts'

/** For `NODE_OPTIONS` of a process whose memory is looked at. */
export const COLLECTOR = `--import ${new URL('collect-on-signal.mjs', import.meta.url).href}`
const [TIMES, EACH_MS] = [2, 1_500]
export const COLLECTING_MS = TIMES * EACH_MS

/** The memory of a process when it has collected twice: what was let go of in the first time is given back in the second. */
export async function collectedBytes(pid: number): Promise<number> {
  for (let nth = 0; nth < TIMES; nth += 1) {
    process.kill(pid, 'SIGUSR2')
    await pause(EACH_MS)
  }
  return residentBytes(pid)
}
