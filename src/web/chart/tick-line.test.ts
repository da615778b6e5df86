import { describe, expect, it } from 'vitest'
import { TickLine } from '#web/chart/tick-line.ts'

const tick = (time: number, q = time) => ({ q, time, price: q })
const timesOf = (line: TickLine, view: 'second' | 'every' = 'every') =>
  line.runs(view).map((run) => run.map(({ time }) => time))
const facts = { silenceMs: 5_000, isThinned: false }

describe('the line of ticks', () => {
  it('a line of ticks ends where the source was silent for longer than the symbol allows, in both views', () => {
    const line = new TickLine()
    line.addPast(
      [0, 900, 5_900, 10_901, 11_000].map((time, q) => tick(time, q)),
      facts,
    )
    expect(timesOf(line)).toEqual([
      [0, 900, 5_900],
      [10_901, 11_000],
    ])
    // The silence from 900 to 5,900 is allowed, although the newest ticks of the seconds can be further apart.
    line.add([tick(11_999, 5)])
    expect(timesOf(line, 'second')).toEqual([
      [900, 5_900],
      [10_901, 11_999],
    ])
  })

  it('a line of ticks stays unbroken across a silence within the limit, also when the line shows one tick per second', () => {
    const line = new TickLine()
    line.addPast(
      [900, 5_500, 5_990].map((time, q) => tick(time, q)),
      facts,
    )
    expect(timesOf(line, 'second')).toEqual([[900, 5_990]])
  })

  it('a line of ticks allows 15 s of silence until the server has named the limit of the symbol', () => {
    const line = new TickLine()
    line.add([tick(0), tick(15_000), tick(30_001)])
    expect(timesOf(line)).toEqual([[0, 15_000], [30_001]])
    line.addPast([], facts)
    expect(timesOf(line)).toEqual([[0], [15_000], [30_001]])
  })

  it('a line of ticks allows a second more when the server thinned the ticks', () => {
    const line = new TickLine()
    line.addPast([tick(900), tick(6_900), tick(12_901)], { ...facts, isThinned: true })
    expect(timesOf(line)).toEqual([[900, 6_900], [12_901]])
  })

  it('a line of ticks shows each tick once, in the order of the tick log, when live ticks arrive before the past', () => {
    const line = new TickLine()
    line.add([tick(3_000, 7), tick(3_000, 8)])
    line.addPast([tick(1_000, 5), tick(2_000, 6), tick(3_000, 7)], facts)
    line.add([tick(4_000, 8), tick(4_000, 9)])
    expect(line.runs('every')[0]?.map(({ price }) => price)).toEqual([5, 6, 7, 8, 9])
    expect(line.newest).toMatchObject({ q: 9 })
  })

  it('`forget()` drops ticks from before a time', () => {
    const line = new TickLine()
    line.add([tick(1_000), tick(2_000), tick(3_000)])
    line.forget(2_000)
    expect(timesOf(line)).toEqual([[2_000, 3_000]])
    line.forget(3_001)
    expect([timesOf(line), line.newest]).toEqual([[], null])
  })

  it('a line of ticks keeps only the newest tick of each second in its older half when there are more than 10,000 ticks', () => {
    const line = new TickLine()
    for (let q = 0; q <= 10_000; q += 1) line.add([tick(q * 100, q)])
    const [run] = timesOf(line)
    expect(run?.length).toBeLessThan(6_000)
    expect(run?.[0]).toBe(900)
    expect(run?.slice(-3)).toEqual([999_800, 999_900, 1_000_000])
    expect(timesOf(line, 'second')[0]?.slice(0, 2)).toEqual([900, 1_900])
  })
})
