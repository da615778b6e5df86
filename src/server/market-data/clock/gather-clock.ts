import { makeEntry } from '#core/register/entry.ts'
import { HOUR_MS, instant } from '#core/time/instant.ts'
import { clockErrorMs, clockMinutes } from '#server/market-data/clock/clock.queries.ts'
import type { Gather } from '#server/register/close-minute.ts'
import { newestEntry } from '#server/register/register.queries.ts'

/** Records each hour how far our clock was off: the largest error that the clocks of other parties prove. */
export const gatherClock: Gather = async (tx, nowMs) => {
  const since = ((await newestEntry(tx, 'clock')) ?? (await newestEntry(tx, 'genesis')))?.atMs ?? nowMs
  if (nowMs - since < HOUR_MS) return []
  const minutes = await clockMinutes(tx, instant(since))
  if (minutes.length === 0) return []
  const errors = minutes.map(({ clocks }) => clockErrorMs(clocks))
  const proven = errors.filter((error) => error !== null)
  const sources = [...new Set(minutes.flatMap(({ clocks }) => clocks.map(({ source }) => source)))].toSorted()
  return [
    makeEntry('clock', {
      at_ms: nowMs,
      since_ms: since,
      measured: minutes.length,
      disagreed: errors.length - proven.length,
      largest_ms: proven.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0),
      sources,
    }),
  ]
}
