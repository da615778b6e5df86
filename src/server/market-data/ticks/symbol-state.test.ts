import { describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, later } from '#core/time/instant.ts'
import { SymbolState } from '#server/market-data/ticks/symbol-state.ts'
import { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'
import { BTC } from '#test/support/market-fixtures.ts'

const ETH = { ...BTC, id: BTC.id + 1 }
const AT = instant(Date.UTC(2026, 2, 18, 15))

function tick(seq: number, time = later(AT, seq)): Tick {
  return { symbolId: BTC.id, seq, price: price(100 + seq), volume: volume(1), time, receivedAt: time, source: 'test' }
}

const seqs = (state: SymbolState): number[] => state.ticksSince(instant(0)).map(({ seq }) => seq)

describe('the state of a symbol', () => {
  it('raises the watermark with newer times only', () => {
    const state = new SymbolState(() => [])
    expect([state.raise(AT), state.raise(AT), state.raise(later(AT, -1)), state.raise(later(AT, 1))]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(state.watermark).toBe(later(AT, 1))
  })

  it('reports that a symbol without ticks in the log has no older ticks', () => {
    const state = new SymbolState(() => [])
    state.restore({ ticks: [], through: null, closedThrough: null })
    state.push(tick(1))
    expect(state.ring.all()).toEqual({ ticks: [tick(1)], isWhole: true })
    expect([state.watermark, state.through]).toEqual([null, null])
  })

  it('contains each tick once, in log order, when ticks arrived while the log was read', () => {
    const state = new SymbolState(() => [])
    state.push(tick(3))
    state.restore({ ticks: [tick(1), tick(2), tick(3)], through: AT, closedThrough: AT })
    expect(seqs(state)).toEqual([1, 2, 3])
    expect(state.watermark).toBe(tick(3).time)
  })

  it('reports the later of watermark and restored time as complete', () => {
    const state = new SymbolState(() => [])
    state.restore({ ticks: [], through: later(AT, 5), closedThrough: later(AT, 4) })
    expect([state.through, state.closedThrough]).toEqual([later(AT, 5), later(AT, 4)])
    state.raise(AT)
    expect(state.through).toBe(later(AT, 5))
    state.raise(later(AT, 9))
    expect(state.through).toBe(later(AT, 9))
  })
})

describe('the states of all symbols', () => {
  it('replace all suspect flags, and ignore flags of unknown symbols', () => {
    const states = new SymbolStates([BTC, ETH], () => [])
    states.setSuspects([[BTC.id, 'spike']])
    states.setSuspects([
      [ETH.id, 'lost'],
      [9_999, 'spike'],
    ])
    expect(states.suspects()).toEqual([[ETH.id, 'lost']])
  })

  it('report the newest time and the watermarks of symbols with prices', () => {
    const states = new SymbolStates([BTC, ETH], () => [])
    expect([states.newestTime(), states.watermarks()]).toEqual([Number.NEGATIVE_INFINITY, []])
    states.get(BTC.id)?.push(tick(1))
    states.get(BTC.id)?.raise(tick(1).time)
    expect([states.newestTime(), states.watermarks()]).toEqual([tick(1).time, [[BTC.id, tick(1).time]]])
  })
})
