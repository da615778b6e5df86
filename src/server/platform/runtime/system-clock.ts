import { uptime } from 'node:os'
import { clearTimeout as clearTimer, setTimeout as startTimer } from 'node:timers'
import { instant, type Instant } from '#core/time/instant.ts'
import type { MachineClock } from '#server/platform/runtime/ports.ts'

/** The real clock: the only place where the server reads the time and sets timers. */
export const systemClock: MachineClock = {
  now: readTime,
  steady: readSteady,
  // Always true, because only `TrustedClock` compares this clock with other clocks.
  isTrusted: () => true,
  // On Linux the uptime includes sleep, and the monotonic clock does not.
  sleptMs: () => uptime() * 1000 - readSteady(),
  after(ms, run) {
    const timer = startTimer(run, Math.max(0, ms))
    return () => clearTimer(timer)
  },
}

function readTime(): Instant {
  // oxlint-disable-next-line eslint/no-restricted-properties -- everything else asks the clock, and the clock asks here
  return instant(Date.now())
}

function readSteady(): number {
  // oxlint-disable-next-line eslint/no-restricted-properties -- as above
  return performance.now()
}
