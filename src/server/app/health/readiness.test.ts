import { describe, expect, it } from 'vitest'
import { instant, type Instant, SECOND_MS } from '#core/time/instant.ts'
import type { FaultKind } from '#server/platform/faults/fault-registry.ts'
import { createReadiness } from '#server/app/health/readiness.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const START = instant(1_000_000)

function start() {
  const clock = new FakeClock(START)
  const state: { isAtWork: boolean; lastReportAt: Instant | null; fault: FaultKind | null } = {
    isAtWork: true,
    lastReportAt: START,
    fault: null,
  }
  const readiness = createReadiness({
    ctx: { now: () => clock.now() },
    faults: {
      get stopping() {
        return state.fault
      },
    },
    isAtWork: () => state.isAtWork,
    lastPriceReportAt: () => state.lastReportAt,
  })
  readiness.start()
  return { clock, state, readiness }
}

describe('readiness of a server', () => {
  it('a server is ready while it accepts orders, receives prices and is not stopping', () => {
    const { clock, state, readiness } = start()
    expect(readiness.reason()).toBeNull()
    state.isAtWork = false
    expect(readiness.reason()).toBe('not at work')
    state.isAtWork = true
    state.lastReportAt = null
    expect(readiness.reason()).toBe('no prices')
    state.lastReportAt = clock.now()
    expect(readiness.reason()).toBeNull()
    readiness.drain()
    expect(readiness.reason()).toBe('stopping')
  })

  it('a server is not ready after ten seconds without prices, and is ready again after the next tick-log message', () => {
    const { clock, state, readiness } = start()
    clock.advance(10 * SECOND_MS)
    expect(readiness.reason()).toBeNull()
    clock.advance(1)
    expect(readiness.reason()).toBe('no prices')
    state.lastReportAt = clock.now()
    expect(readiness.reason()).toBeNull()
  })

  it('a server is not ready while the database or the clock has a fault, and names the fault', () => {
    const { state, readiness } = start()
    state.fault = 'database_full'
    expect(readiness.reason()).toBe('database_full')
    state.fault = null
    expect(readiness.reason()).toBeNull()
  })
})
