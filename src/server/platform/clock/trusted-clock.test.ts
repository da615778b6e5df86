import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const START = 1_774_000_000_000

let machine: FakeClock
let clock: TrustedClock
/** How far the database's clock is ahead of the monotonic clock. Null: the database gives no sample. */
let databaseSkewMs: number | null
let sleptMs: number

beforeEach(() => {
  machine = new FakeClock(START)
  databaseSkewMs = 0
  sleptMs = 0
  machine.sleptMs = () => sleptMs
  clock = new TrustedClock(machine)
  pass(3)
})

/** Advances time, with a database sample and a check each second. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    machine.advance(SECOND_MS)
    const at = machine.steady()
    if (databaseSkewMs !== null) clock.addDatabaseSample(at + databaseSkewMs, { requestedAt: at - 2, answeredAt: at })
    clock.look()
  }
}

const real = () => machine.steady()

describe('A2: a clock that jumps', () => {
  it.each([HOUR_MS, -10 * MINUTE_MS, 2 * SECOND_MS, -700])(
    'A2: keeps the old time and is not trusted while the wall clock is %d ms off and the database disagrees',
    (ms) => {
      machine.step(ms)
      // Before the next check, the time already excludes the jump.
      expect(clock.now()).toBe(real())
      pass(1)
      expect(clock.isTrusted()).toBe(false)
      expect(clock.trouble()).toEqual({ kind: 'jumped', ms })
      pass(HOUR_MS / SECOND_MS)
      expect(clock.isTrusted()).toBe(false)
      expect(clock.now()).toBe(real())
    },
  )

  it('A2: is trusted again at the first check after the clock is corrected', () => {
    machine.step(HOUR_MS)
    pass(30)
    machine.step(-HOUR_MS)
    clock.look()
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(real())
  })

  it('A2: follows a small correction at the next check, and never returns an earlier time than before', () => {
    machine.step(-300)
    const before = clock.now()
    clock.look()
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBeGreaterThanOrEqual(before)
    pass(1)
    expect(clock.now()).toBe(real() - 300)
  })

  it('A2: accepts the new time at once when the clock of the database already agreed with it before the jump', () => {
    databaseSkewMs = 3 * SECOND_MS
    pass(2)
    expect(clock.skewMs()).toBeCloseTo(-3 * SECOND_MS, -2)
    machine.step(3 * SECOND_MS)
    clock.look()
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(real() + 3 * SECOND_MS)
    expect(Math.abs(clock.skewMs() ?? 9)).toBeLessThan(10)
  })

  it('A2: accepts a jump shared by the database after a wait as long as the jump, but at least 5 s and at most 10 min', () => {
    for (const [ms, holdMs] of [
      [2 * SECOND_MS, 5 * SECOND_MS],
      [30 * SECOND_MS, 30 * SECOND_MS],
      [-20 * SECOND_MS, 20 * SECOND_MS],
      [5 * HOUR_MS, 10 * MINUTE_MS],
    ] as const) {
      const before = clock.now() - real()
      machine.step(ms)
      databaseSkewMs = (databaseSkewMs ?? 0) + ms
      pass(holdMs / SECOND_MS)
      expect(clock.isTrusted()).toBe(false)
      expect(clock.now()).toBe(real() + before)
      pass(3)
      expect(clock.isTrusted()).toBe(true)
      expect(clock.now()).toBe(real() + before + ms)
    }
  })

  it('A2: accepts at once a jump back to a time that it trusted before', () => {
    machine.step(HOUR_MS)
    databaseSkewMs = HOUR_MS
    pass(10 * 60 + 3)
    expect(clock.now()).toBe(real() + HOUR_MS)
    machine.step(-HOUR_MS)
    databaseSkewMs = 0
    clock.look()
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(real())
  })

  it('A2: waits for a database sample from after the jump', () => {
    databaseSkewMs = null
    machine.step(MINUTE_MS)
    pass(3 * 60)
    expect(clock.isTrusted()).toBe(false)
  })

  it('A2: restarts the waiting time when the clock jumps again', () => {
    machine.step(20 * SECOND_MS)
    databaseSkewMs = 20 * SECOND_MS
    pass(15)
    machine.step(20 * SECOND_MS)
    databaseSkewMs = 40 * SECOND_MS
    pass(35)
    expect(clock.isTrusted()).toBe(false)
    pass(10)
    expect(clock.isTrusted()).toBe(true)
  })

  it("A2: does not treat a machine's sleep as a jump", () => {
    sleptMs = 3 * HOUR_MS
    machine.step(3 * HOUR_MS)
    databaseSkewMs = 3 * HOUR_MS
    pass(1)
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(real() + 3 * HOUR_MS)
  })
})

describe('A2: the clocks of the server and of the database', () => {
  it('A2: stop trading when they differ by more than 5 s, until they are close again', () => {
    for (const [skewMs, isTrusted] of [
      [4_900, true],
      [5_100, false],
      [4_500, false],
      [3_900, true],
      [-5_100, false],
      [HOUR_MS, false],
      [0, true],
    ] as const) {
      databaseSkewMs = skewMs
      pass(1)
      expect([skewMs, clock.isTrusted()]).toEqual([skewMs, isTrusted])
    }
  })

  it('A2: stop trading after a slow drift, even if the step in each second is too small to count as a jump', () => {
    for (let step = 0; step < 60; step += 1) {
      machine.step(80)
      pass(1)
    }
    expect(clock.skewMs()).toBeGreaterThan(4_700)
    expect(clock.isTrusted()).toBe(true)
    machine.step(400)
    pass(1)
    expect(clock.trouble()?.kind).toBe('apart')
    // The wall clock is corrected to the time that the database's clock shows.
    machine.step(-5_200)
    clock.look()
    expect(clock.isTrusted()).toBe(true)
    expect(clock.now()).toBe(real())
  })

  it('A2: are not compared with a sample that took too long', () => {
    const at = machine.steady()
    clock.addDatabaseSample(at - HOUR_MS, { requestedAt: at - 10_000, answeredAt: at })
    clock.look()
    expect(clock.isTrusted()).toBe(true)
  })
})
