import { expect, it } from 'vitest'
import { keepTrail, trailEnd, trailOf } from '#web/chart/tick-trail.ts'
import { publishTick, setConnection } from '#web/live/live-store.ts'

let symbols = 0
function aTrail() {
  symbols += 1
  const code = `T${symbols}`
  const stop = keepTrail(code)
  const tick = (time: number, price = time) => publishTick(code, { price, change: 0, time, stale: false })
  const times = () => trailOf(code).map(({ ticks }) => ticks.map(({ time }) => time))
  return { code, stop, tick, times }
}

it('P16: the trail of a symbol keeps live ticks without a gap as one stretch', () => {
  const { code, tick, times } = aTrail()
  for (const time of [1_000, 1_250, 1_900, 1_900, 2_800]) tick(time)
  expect(times()).toEqual([[1_000, 1_250, 1_900, 2_800]])
  expect(trailOf(code)[0]).toMatchObject({ from: 1_000, through: 2_800 })
  expect(trailEnd(code)).toEqual({ time: 2_800, price: 2_800 })
})

it('P16: the trail starts a new stretch of ticks where ticks may be missing', () => {
  const { tick, times } = aTrail()
  for (const time of [1_000, 1_500, 2_600, 2_700]) tick(time)
  expect(times()).toEqual([
    [1_000, 1_500],
    [2_600, 2_700],
  ])
})

it('P16: the trail starts a new stretch of ticks after any loss of the connection', () => {
  const { tick, times } = aTrail()
  tick(1_000)
  setConnection('offline', 0)
  setConnection('connected', 0)
  tick(1_200)
  expect(times()).toEqual([[1_000], [1_200]])
})

it('P16: the trail starts a new stretch of ticks after the page was hidden', () => {
  const { tick, times } = aTrail()
  tick(1_000)
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
  Object.defineProperty(document, 'hidden', { value: false, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
  tick(1_100)
  expect(times()).toEqual([[1_000], [1_100]])
})

it('P16: the trail starts a new stretch of ticks when the screen is opened again', () => {
  const { code, stop, tick, times } = aTrail()
  tick(1_000)
  stop()
  tick(1_100)
  keepTrail(code)
  tick(1_200)
  expect(times()).toEqual([[1_000], [1_200]])
})

it('P16: the trail drops old ticks, and ticks above the limit', () => {
  const { tick, times } = aTrail()
  for (let at = 0; at < 7_000; at += 1) tick(at * 200)
  const shownTimes = times().flat()
  expect(shownTimes.length).toBeLessThanOrEqual(6_000)
  expect(shownTimes.at(-1)).toBe(6_999 * 200)
  expect(shownTimes[0]).toBeGreaterThan(0)
  expect(times()).toHaveLength(1)
})

it('P13: no line of ticks is drawn through the close of a past bar', () => {
  const { code, tick, times } = aTrail()
  publishTick(code, { price: 249.85, change: 0, time: 1_000, stale: false, past: true })
  tick(2_000)
  expect(times()).toEqual([[2_000]])
})
