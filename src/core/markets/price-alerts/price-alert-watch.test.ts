import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AlertWatch } from '#core/markets/price-alerts/price-alert-watch.ts'
import {
  advanceAlert,
  alertRefusal,
  type AlertTick,
  type WatchedAlert,
} from '#core/markets/price-alerts/price-alert.ts'
import { price } from '#core/money/price.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'

const START = 1_000_000
const tick = (seq: number, units: number, ms = seq * 1_000): AlertTick => ({
  seq,
  symbolId: 1,
  price: price(units),
  time: instant(START + ms),
})

function alert(changes: Partial<WatchedAlert> = {}): WatchedAlert {
  return {
    id: 'a',
    userId: 'u',
    symbolId: 1,
    rule: { kind: 'above', level: price(110) },
    state: 'running',
    repeats: false,
    coolMs: 5 * MINUTE_MS,
    expiresAt: instant(START + 10_000_000),
    basis: { seq: 1, price: price(100), time: instant(START) },
    fromSeq: 1,
    isArmed: true,
    quietUntil: instant(0),
    round: 0,
    fired: null,
    ...changes,
  }
}

/** The numbers of the ticks at which an alert fires. */
function firings(first: WatchedAlert, ticks: readonly AlertTick[]): number[] {
  const watch = new AlertWatch(() => [])
  watch.put(first)
  return ticks.flatMap((one) => watch.advance(one).flatMap(({ fired }) => (fired?.tick === one ? [one.seq] : [])))
}

describe('a split', () => {
  const splits = [{ newShares: 10, oldShares: 1, effectiveAt: instant(START + 5_000) }]
  const all = () => [
    alert({ id: 'below', rule: { kind: 'below', level: price(1_000_00) } }),
    alert({ id: 'move', rule: { kind: 'move', move: 1_000 } }),
    alert({ id: 'above', rule: { kind: 'above', level: price(1_300_00) } }),
  ]
  const after = (units: number) => {
    const watch = new AlertWatch(() => splits)
    for (const one of all()) watch.put({ ...one, basis: { ...one.basis, price: price(1_200_00) } })
    expect(watch.advance(tick(2, 1_201_00))).toEqual([])
    return [tick(6, 120_30), tick(7, units)].map((one) =>
      watch.advance(one).map(({ id, round, rule }) => [id, round, 'level' in rule ? rule.level : null]),
    )
  }
  const converted = [
    ['below', 0, 100_00],
    ['move', 0, null],
    ['above', 0, 130_00],
  ]

  it('fires no alert, but converts its level and the price it is measured from', () => {
    expect(after(120_40)).toEqual([converted, []])
  })

  it.each([
    [
      100_00,
      [
        ['below', 1, 100_00],
        ['move', 1, null],
      ],
    ],
    [130_00, [['above', 1, 130_00]]],
  ])('lets alerts fire at prices after the split, such as %i', (units, fired) => {
    expect(after(units)).toEqual([converted, fired])
  })
})

describe('an alert fires', () => {
  const move = (percent: number) => ({ rule: { kind: 'move', move: percent * 100 } as const })
  const below = { rule: { kind: 'below', level: price(90) } as const }
  const again = { repeats: true }
  it.each<[title: string, changes: Partial<WatchedAlert>, prices: [units: number, ms: number][], at: number[]]>([
    [
      'at the level itself',
      {},
      [
        [109, 1],
        [110, 2],
        [120, 3],
      ],
      [3],
    ],
    [
      'beyond the level, when no tick has the level',
      {},
      [
        [109, 1],
        [125, 2],
      ],
      [3],
    ],
    [
      'below its level',
      below,
      [
        [91, 1],
        [90, 2],
      ],
      [3],
    ],
    [
      'not at ticks up to its beginning',
      { fromSeq: 3 },
      [
        [120, 1],
        [120, 2],
        [100, 3],
        [110, 4],
      ],
      [5],
    ],
    [
      'after its life: never',
      { expiresAt: instant(START + 5) },
      [
        [109, 5],
        [111, 6],
      ],
      [],
    ],
    ['at its last moment', { expiresAt: instant(START + 5) }, [[111, 5]], [2]],
    [
      'once, unless it repeats',
      {},
      [
        [111, 1],
        [100, 2],
        [111, 999_999],
      ],
      [2],
    ],
    [
      'again, when the price was back and the rest is over',
      again,
      [
        [111, 1],
        [100, 2],
        [111, 300_001],
      ],
      [2, 4],
    ],
    [
      'not again during its rest',
      again,
      [
        [111, 1],
        [100, 2],
        [111, 300_000],
        [112, 300_002],
      ],
      [2],
    ],
    [
      'not again while the price stays beyond',
      again,
      [
        [111, 1],
        [112, 300_001],
        [113, 400_000],
      ],
      [2],
    ],
    [
      'after a move of 10 % up',
      move(10),
      [
        [109, 1],
        [110, 2],
      ],
      [3],
    ],
    [
      'after a move of 10 % down',
      move(10),
      [
        [91, 1],
        [90, 2],
      ],
      [3],
    ],
    [
      'not after a move that only rounds up to it',
      move(0.5),
      [
        [100, 1],
        [99, 2],
      ],
      [3],
    ],
    [
      'again after a move from where it fired',
      { ...move(10), ...again },
      [
        [110, 1],
        [100, 300_001],
        [99, 300_002],
      ],
      [2, 4],
    ],
  ])('%s', (_, changes, prices, at) => {
    expect(
      firings(
        alert(changes),
        prices.map(([units, ms], index) => tick(index + 2, units, ms)),
      ),
    ).toEqual(at)
  })

  it.each([
    ['above', 100, 'alert_at_price'],
    ['below', 100, 'alert_at_price'],
    ['above', 99, 'alert_wrong_side'],
    ['below', 101, 'alert_wrong_side'],
    ['above', 101, null],
    ['below', 99, null],
  ] as const)('%s %i starts from a price of 100 as the table says', (kind, level, refusal) => {
    expect(alertRefusal({ kind, level: price(level) }, price(100))).toBe(refusal)
  })

  it('a fired alert names the previous tick, even when another server read that tick', () => {
    const watch = new AlertWatch(() => [])
    watch.put(alert())
    expect(watch.lastPlaces()).toEqual([])
    watch.restore(1, { seq: 7, time: instant(START + 7) })
    expect(watch.advance(tick(9, 120))[0]?.fired?.previous).toEqual({ seq: 7, time: START + 7 })
    const fresh = new AlertWatch(() => [])
    fresh.put(alert())
    expect(fresh.advance(tick(9, 120))[0]?.fired?.previous).toEqual({ seq: 1, time: START })
  })
})

describe('alerts on any log', () => {
  const anAlert = fc
    .record({
      kind: fc.constantFrom('above', 'below', 'move'),
      level: fc.integer({ min: 90, max: 110 }),
      move: fc.integer({ min: 10, max: 1_500 }),
      repeats: fc.boolean(),
      coolMs: fc.integer({ min: 0, max: 20_000 }),
      expiresMs: fc.integer({ min: 0, max: 60_000 }),
      fromSeq: fc.integer({ min: 1, max: 30 }),
      symbolId: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ kind, level, move, expiresMs, ...rest }) =>
      alert({
        ...rest,
        rule: kind === 'move' ? { kind, move } : { kind, level: price(level) },
        expiresAt: instant(START + expiresMs),
      }),
    )
  const aLog = fc.array(
    fc.record({
      symbolId: fc.integer({ min: 1, max: 3 }),
      units: fc.integer({ min: 85, max: 115 }),
      ms: fc.nat(2_000),
    }),
    { maxLength: 60 },
  )

  it('alerts that one watch holds fire exactly as each alert fires alone, in whatever order they are added', () => {
    fc.assert(
      fc.property(fc.array(anAlert, { maxLength: 8 }), aLog, (alerts, log) => {
        let ms = 0
        const ticks = log.map(({ symbolId, units, ms: pause }, at) => {
          ms += pause
          return { ...tick(at + 2, units, ms), symbolId }
        })
        const watch = new AlertWatch(() => [])
        const named = alerts.map((one, at) => ({ ...one, id: `a${at}` }))
        const together = ticks.flatMap((one) => {
          // Each alert is added at the latest directly before its first tick is read.
          for (const added of named) if (added.fromSeq === one.seq - 1 || one.seq === 2) watch.put(added)
          return watch.advance(one).map((next) => `${one.seq} ${next.id} ${next.state} ${next.round} ${next.isArmed}`)
        })
        const separate = ticks.flatMap((one) =>
          named.flatMap((first, at) => {
            const next = advanceAlert(first, one, null)
            if (first.symbolId !== one.symbolId || next === first) return []
            named[at] = next
            return [`${one.seq} ${next.id} ${next.state} ${next.round} ${next.isArmed}`]
          }),
        )
        expect(together.toSorted()).toEqual(separate.toSorted())
      }),
    )
  })
})
