import { expect, it } from 'vitest'
import { instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { AAPL } from '#test/support/market-fixtures.ts'

/** A Wednesday, 16:00 in New York. */
const CLOSE = instant(Date.UTC(2026, 2, 18, 20))
const NEXT_OPENING = instant(Date.UTC(2026, 2, 19, 13, 30))

/** Returns the holes of a source that last reported `reportedMs` after the close, and missed prices `noticedMs` after it. */
function holesOf(reportedMs: number, noticedMs: number) {
  const coverage = new LogCoverage(() => undefined)
  coverage.know(AAPL, [], later(CLOSE, reportedMs))
  coverage.misses(AAPL.id, null, later(CLOSE, noticedMs))
  coverage.admitted(AAPL.id, later(NEXT_OPENING, SECOND_MS))
  return coverage.of(AAPL.id)
}

it('prices missed before the close leave a hole when the loss is noticed after the close', () => {
  const from = later(CLOSE, -50 * SECOND_MS + 1)
  expect(holesOf(-50 * SECOND_MS, 100 * SECOND_MS)).toEqual([{ symbolId: AAPL.id, from, until: NEXT_OPENING }])
})

it.each([
  ['the source reported after the close', SECOND_MS, 100 * SECOND_MS],
  ['the connection ended long after the close', -10, 6 * MINUTE_MS],
])('a closed market leaves no hole when %s', (_, reportedMs, noticedMs) => {
  expect(holesOf(reportedMs, noticedMs)).toEqual([])
})
