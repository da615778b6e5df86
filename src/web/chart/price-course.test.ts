import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  courseOf,
  firstUnknown,
  gapsOf,
  runsOf,
  type Stretch,
  type TickPoint,
  withStretch,
} from '#web/chart/price-course.ts'

const ticks = (...times: number[]): TickPoint[] => times.map((time) => ({ time, price: time }))
const stretch = (from: number, through: number, ...times: number[]): Stretch => ({
  from,
  through,
  ticks: ticks(...times),
})
const timesOf = (runs: readonly (readonly TickPoint[])[]) => runs.map((run) => run.map(({ time }) => time))

describe('the known ticks of a price', () => {
  it('P16: no line is drawn across a time without known ticks', () => {
    const course = courseOf([], [stretch(0, 20, 0, 10, 20), stretch(60, 70, 60, 70)])
    expect(timesOf(runsOf(course, 1_000))).toEqual([
      [0, 10, 20],
      [60, 70],
    ])
    expect(firstUnknown(course, { from: 0, through: 70 })).toBe(20)
  })

  it('P16: the lines on both sides of a gap are joined once the missing ticks arrive', () => {
    const course = courseOf([stretch(15, 65, 20, 30, 40, 60)], [stretch(0, 20, 0, 10, 20), stretch(60, 70, 60, 70)])
    expect(timesOf(runsOf(course, 1_000))).toEqual([[0, 10, 20, 30, 40, 60, 70]])
    expect(firstUnknown(course, { from: 0, through: 70 })).toBeNull()
  })

  it('P16: a line ends where the source was silent, and continues at the next tick of the source', () => {
    expect(timesOf(runsOf([stretch(0, 9_000, 0, 5_000, 9_000, 14_001)], 5_000))).toEqual([[0, 5_000, 9_000], [14_001]])
  })

  it('P16: a time that was fetched without ticks counts as known, and no line is drawn there', () => {
    const course = courseOf([stretch(21, 59)], [stretch(0, 20, 10, 20), stretch(60, 70, 60)])
    expect(firstUnknown(course, { from: 0, through: 70 })).toBeNull()
    expect(timesOf(runsOf(course, 30))).toEqual([[10, 20], [60]])
  })

  it('P16: all fetched ticks replace the few ticks that were received live', () => {
    expect(courseOf([stretch(0, 30, 0, 11, 12, 30)], [stretch(10, 40, 10, 20, 40)])).toEqual([
      stretch(0, 40, 0, 11, 12, 30, 40),
    ])
  })

  it('P16: gapsOf lists the times in which nothing is drawn', () => {
    const drawn = [stretch(10, 20), stretch(50, 60), stretch(61, 70)]
    expect(gapsOf(drawn, { from: 0, through: 100 }, 5)).toEqual([
      { from: 0, through: 10 },
      { from: 20, through: 50 },
      { from: 70, through: 100 },
    ])
    expect(gapsOf([], { from: 0, through: 3 }, 5)).toEqual([])
  })

  it('P16: lines consist of real ticks only, in order, for any order of arrival', () => {
    const piece = fc
      .tuple(fc.nat(200), fc.nat(60), fc.array(fc.nat(60), { maxLength: 8 }))
      .map(([from, length, at]) =>
        stretch(
          from,
          from + length,
          ...new Set(at.map((after) => from + Math.min(after, length)).toSorted((a, b) => a - b)),
        ),
      )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 4 }), (fetched, live) => {
        const known = fetched.reduce<Stretch[]>(withStretch, [])
        const seen = live.reduce<Stretch[]>(withStretch, [])
        const course = courseOf(known, seen)
        for (const [at, one] of course.entries()) {
          const before = course[at - 1]
          if (before !== undefined) expect(before.through + 1).toBeLessThan(one.from)
        }
        const real = new Set([...fetched, ...live].flatMap((one) => one.ticks.map(({ time }) => time)))
        for (const run of timesOf(runsOf(course, 1_000))) {
          const [first = 0, last = 0] = [run[0], run.at(-1)]
          expect(run.every((time) => real.has(time))).toBe(true)
          expect(run).toEqual([...new Set(run)].toSorted((a, b) => a - b))
          expect(course.some(({ from, through }) => from <= first && last <= through)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})
