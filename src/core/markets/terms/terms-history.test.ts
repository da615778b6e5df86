import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offeredTerms, settlementAges } from '#core/markets/terms/offered-terms.ts'
import { NO_PREVIOUS, type TermsEntry, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { instant } from '#core/time/instant.ts'

type Row = readonly [what: TermsPart, of: string, value: string, appliesAt: number]

function historyOf(...rows: readonly Row[]): TermsHistory {
  return new TermsHistory(
    rows.map(([what, of, value, appliesAt], at): TermsEntry => {
      const times = { announcedAt: instant(0), appliesAt: instant(appliesAt) }
      return { n: at + 1, what, of, value, ...times, isBefore: false, previous: NO_PREVIOUS }
    }),
  )
}

describe('the entry in force', () => {
  const rows = fc.array(
    fc.tuple(
      fc.constantFrom<TermsPart>('payout', 'min_stake'),
      fc.constantFrom('60', '300'),
      fc.nat({ max: 9 }).map(String),
      fc.nat({ max: 20 }),
    ),
    { maxLength: 30 },
  )
  const plainly = (list: readonly Row[], what: string, of: string, at: number) =>
    list.findLastIndex((row) => row[0] === what && row[1] === of && row[3] <= at) + 1

  it('the entry in force has the greatest number of all entries that apply', () => {
    fc.assert(
      fc.property(rows, fc.nat({ max: 21 }), (list, at) => {
        const history = historyOf(...list)
        for (const what of ['payout', 'min_stake'] as const)
          expect(history.inForce(what, '60', instant(at))?.n ?? 0).toBe(plainly(list, what, '60', at))
      }),
    )
  })

  it('`coming()` lists exactly the moments at which another entry will come into force', () => {
    fc.assert(
      fc.property(rows, fc.nat({ max: 21 }), (list, at) => {
        const history = historyOf(...list)
        const coming = history.coming('payout', '60', instant(at)).map(({ n, appliesAt }) => [n, appliesAt])
        const seen: number[][] = []
        for (let moment = at + 1; moment <= 21; moment++) {
          const n = plainly(list, 'payout', '60', moment)
          if (n !== plainly(list, 'payout', '60', moment - 1)) seen.push([n, moment])
        }
        expect(coming).toEqual(seen)
      }),
    )
  })

  it('the entry in force stays the same from one change to the next', () => {
    fc.assert(
      fc.property(rows, fc.nat({ max: 21 }), (list, at) => {
        const history = historyOf(...list)
        const until = Math.min(history.nextChange(instant(at)), 22)
        for (let moment = at; moment < until; moment++)
          expect(history.inForce('payout', '60', instant(moment))).toEqual(history.inForce('payout', '60', instant(at)))
        expect(history.lastChange(instant(at))).toBeLessThanOrEqual(at)
      }),
    )
  })
})

const ONE_MINUTE: readonly Row[] = [
  ['duration', '60', 'open', 10],
  ['payout', '60', '8000', 20],
  ['min_stake', '60', '100', 0],
  ['max_stake', '60', '5000', 0],
]
const at = (ms: number) => instant(ms)

describe('a duration', () => {
  it.each([
    ['before it is open', 9, null],
    ['before its payout is in force', 19, null],
    ['with all of its terms', 20, 8_000],
  ])('%s', (_, ms, payout) => {
    expect(offeredTerms(historyOf(...ONE_MINUTE), 60, at(ms))?.payout ?? null).toBe(payout)
  })

  it.each(['payout', 'min_stake', 'max_stake', 'duration'])('a duration is not offered without its %s', (part) => {
    expect(offeredTerms(historyOf(...ONE_MINUTE.filter(([what]) => what !== part)), 60, at(99))).toBeNull()
  })

  it('an offered duration names the number of its payout entry, and lists all announced changes', () => {
    const history = historyOf(...ONE_MINUTE, ['duration', '60', 'withdrawn', 90], ['payout', '60', '7000', 80])
    expect(offeredTerms(history, 60, at(50))).toMatchObject({
      termsN: 2,
      minimum: 100n,
      maximum: 5_000n,
      changes: [
        { what: 'payout', value: '7000', appliesAt: 80 },
        { what: 'duration', value: 'withdrawn', appliesAt: 90 },
      ],
    })
    expect(offeredTerms(history, 60, at(90))).toBeNull()
  })

  it('a duration that is opened again has the payout that it had before', () => {
    const history = historyOf(...ONE_MINUTE, ['duration', '60', 'withdrawn', 30], ['duration', '60', 'open', 40])
    expect(offeredTerms(history, 60, at(35))).toBeNull()
    expect(offeredTerms(history, 60, at(40))?.payout).toBe(8_000)
  })

  it('the maximum stake of a duration is never above the ceiling', () => {
    expect(offeredTerms(historyOf(...ONE_MINUTE, ['ceiling', 'all', '700', 0]), 60, at(50))?.maximum).toBe(700n)
  })
})

describe('the maximum price age of an expiry', () => {
  const history = historyOf(
    ['duration', '60', 'open', 0],
    ['max_tick_age', 'BTC', '5000', 0],
    ['max_tick_age', 'BTC', '3000', 100_000],
    // This duration was opened after the first change of the age, so it delays only the second change.
    ['duration', '300', 'open', 200_000],
    ['max_tick_age', 'BTC', '9000', 400_000],
  )
  const ageAt = (expiry: number) =>
    settlementAges(history, 'BTC').find(({ until }) => expiry <= until)?.maxTickAgeMs ?? null

  it.each([
    [100_000, 5_000],
    [160_000, 5_000],
    [160_001, 3_000],
    [700_000, 3_000],
    [700_001, 9_000],
  ])('the maximum price age of an expiry at %i ms is %i ms', (expiry, age) => {
    expect(ageAt(expiry)).toBe(age)
  })

  it('an unknown symbol has no maximum price age', () => {
    expect(settlementAges(history, 'ETH')).toEqual([])
  })
})
