import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALWAYS, type Session } from '#core/markets/calendar/sessions.ts'
import { type Price, price } from '#core/money/price.ts'
import { MARK_MS, relativeMove } from '#core/orders/sale/movement.ts'
import { PriceCourse } from '#core/orders/sale/price-course.ts'
import { type Instant, instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

type Tick = readonly [seconds: number, price: number]

const BASE = 100_000
/** Ticks every 4 s that go up and down by 10 units. They end 1 ms after a mark. */
function calmTicks(minutes: number): Tick[] {
  return Array.from({ length: (minutes * 60) / 4 + 1 }, (_, at) => [at * 4 + 0.001, BASE + (at % 2) * 10])
}

function courseOf(ticks: readonly Tick[]): PriceCourse {
  return new PriceCourse({
    times: ticks.map(([seconds]) => instant(Math.round(seconds * SECOND_MS))),
    prices: ticks.map(([, units]) => price(units)),
  })
}

function lookAtLast(ticks: readonly Tick[], session: Session = ALWAYS) {
  const course = courseOf(ticks)
  return course.lookAt(ticks.length - 1, session)
}

const until = (seconds: number) => (tick: Tick) => tick[0] < seconds

describe('the check of the 20 minutes before a price', () => {
  const ticks = calmTicks(30)

  it('lookAt returns the mean squared size of all 238 moves', () => {
    expect(lookAtLast(ticks)).toEqual({ kind: 'calm', movement: meanSquare(courseOf(ticks), ticks.length - 1) })
  })

  const UNSURE = { kind: 'refused', code: 'sale_unsure' }
  const JUMP = { kind: 'refused', code: 'sale_after_jump' }
  it.each([
    ['less than 20 minutes of prices', ticks.filter(until(19 * 60)), UNSURE],
    ['a gap of more than a minute', ticks.filter(([s]) => s < 600 || s > 670), UNSURE],
    ['fewer than 60 prices in ten minutes', ticks.filter((_, at) => at % 3 === 0), UNSURE],
    ['no move at all', ticks.map(([s]) => [s, BASE] as const), UNSURE],
    [
      'five minutes much calmer than the fifteen before',
      ticks.map(([s, p]) => [s, s > 1_400 ? BASE : p] as const),
      UNSURE,
    ],
    ['all moves within the last five minutes', ticks.map(([s, p]) => [s, s > 1_510 ? p : BASE] as const), UNSURE],
    ['a jump at the price itself', [...ticks.slice(0, -1), [ticks.at(-1)?.[0] ?? 0, BASE + 200] as const], JUMP],
    ['a jump 30 s ago', ticks.map(([s, p]) => [s, s > 1_770 ? p + 120 : p] as const), JUMP],
  ])('lookAt refuses %s', (_, changed, refusal) => {
    expect(lookAtLast(changed)).toEqual(refusal)
  })

  it('lookAt refuses ticks in the first 20 minutes of a session', () => {
    const session = (open: number): Session => ({ open: instant(open * SECOND_MS), close: ALWAYS.close })
    expect(lookAtLast(ticks, session(500)).kind).toBe('calm')
    expect(lookAtLast(ticks, session(1_000))).toEqual(UNSURE)
  })

  it('lookAt gives the same result whatever prices follow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 330, max: ticks.length - 1 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 200_000 })), {
          maxLength: 20,
        }),
        (index, later) => {
          const known = ticks.slice(0, index + 1)
          let [time] = known.at(-1) as Tick
          const more = later.map(([ms, units]): Tick => [(time += ms / SECOND_MS), units])
          const [alone, followed] = [courseOf(known), courseOf([...known, ...more])]
          expect(followed.lookAt(index, ALWAYS)).toEqual(alone.lookAt(index, ALWAYS))
        },
      ),
    )
  })
})

/**
 * Computes the movement in the plainest way: marks every 5 s, moves over 15 s, up to the newest mark before the price.
 */
function meanSquare(course: PriceCourse, index: number): bigint {
  const newest = Math.ceil((course.times[index] as Instant) / MARK_MS) - 1
  const at = (mark: number) => course.prices[course.indexAt(mark * MARK_MS)] as Price
  let sum = 0n
  for (let mark = newest - (20 * MINUTE_MS) / MARK_MS; mark + 3 <= newest; mark += 1)
    sum += relativeMove(at(mark), at(mark + 3)) ** 2n
  return sum / 238n
}
