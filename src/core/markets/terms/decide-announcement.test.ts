import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Announcement, decideAnnouncement } from '#core/markets/terms/decide-announcement.ts'
import { ALL, NO_PREVIOUS, type TermsEntry, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { MIN_NOTICE_MS, type Mode } from '#core/markets/terms/terms-limits.ts'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'

const NOW = 1_000_000
const marketTypeOf = (code: string) => (code === 'BTC' ? 'crypto' : code === 'AAPL' ? 'us_stocks' : null)

type Row = readonly [what: TermsPart, of: string, value: string, appliesAt?: number]
const FIRST: readonly Row[] = [
  ['notice', ALL, String(HOUR_MS)],
  ['ceiling', ALL, '500000'],
  ['duration', '60', 'open'],
  ['payout', '60', '8000'],
  ['min_stake', '60', '1000'],
  ['max_stake', '60', '200000'],
  ['max_tick_age', 'BTC', '5000'],
  ['symbol', 'BTC', 'open'],
]
const entryOf = ([what, of, value, appliesAt = 0]: Row, at: number): TermsEntry => ({
  n: at + 1,
  what,
  of,
  value,
  announcedAt: instant(0),
  appliesAt: instant(appliesAt),
  isBefore: false,
  previous: NO_PREVIOUS,
})
const historyOf = (...more: readonly Row[]) => new TermsHistory([...FIRST, ...more].map(entryOf))

function decide(
  announcement: Omit<Announcement, 'appliesAt'> & { appliesAt?: number | null },
  { history = historyOf(), mode = 'live', now = NOW }: { history?: TermsHistory; mode?: Mode; now?: number } = {},
) {
  const { appliesAt = null } = announcement
  return decideAnnouncement(
    { history, mode, now: instant(now), marketTypeOf },
    { ...announcement, appliesAt: appliesAt === null ? null : instant(appliesAt) },
  )
}
const decideRow = ([what, of, value, appliesAt]: Row, options = {}) =>
  decide({ what, of, value, appliesAt: appliesAt ?? null }, options)

describe('the notice', () => {
  it.each<[string, Row, number]>([
    ['of a payout', ['payout', '60', '8500'], HOUR_MS],
    ['of a higher stake', ['max_stake', '60', '300000'], HOUR_MS],
    ['of a lower stake', ['min_stake', '60', '900'], HOUR_MS],
    ['of a ceiling', ['ceiling', ALL, '600000'], HOUR_MS],
    ['of a price age', ['max_tick_age', 'BTC', '4000'], HOUR_MS],
    ['of a new duration', ['duration', '300', 'open'], HOUR_MS],
    ['of a listed symbol', ['symbol', 'AAPL', 'open'], HOUR_MS],
    ['of a pause of sales is an hour and a minute', ['sale_pause', 'BTC', '600000'], HOUR_MS + MINUTE_MS],
    ['of a withdrawn duration is one minute of the register', ['duration', '60', 'withdrawn'], MINUTE_MS],
    ['of a symbol that closes is one minute of the register', ['symbol', 'BTC', 'closing'], MINUTE_MS],
    ['of a longer notice is one minute of the register', ['notice', ALL, String(2 * HOUR_MS)], MINUTE_MS],
  ])('%s', (_, row, noticeMs) => {
    const soonest = Math.max(noticeMs, MINUTE_MS + 5_000)
    expect(decideRow(row)).toEqual({ ok: true, value: { announcedAt: NOW, appliesAt: NOW + soonest } })
    const [what, of, value] = row
    expect(decideRow([what, of, value, NOW + noticeMs])).toEqual({
      ok: true,
      value: { announcedAt: NOW, appliesAt: NOW + noticeMs },
    })
    expect(decideRow([what, of, value, NOW + noticeMs - 1])).toEqual({
      ok: false,
      refusal: 'notice_too_short',
      params: { seconds: noticeMs / 1_000 },
    })
  })

  it('a shorter notice applies only after the notice in force, even if it is shorter only than an announced notice', () => {
    const day = historyOf(['notice', ALL, String(DAY_MS)])
    const shorter: Row = ['notice', ALL, String(HOUR_MS)]
    expect(decideRow(shorter, { history: day })).toMatchObject({ value: { appliesAt: NOW + DAY_MS } })
    const coming = historyOf(['notice', ALL, String(2 * HOUR_MS)], ['notice', ALL, String(DAY_MS), NOW + 1])
    const between: Row = ['notice', ALL, String(3 * HOUR_MS)]
    expect(decideRow(between, { history: coming })).toMatchObject({ value: { appliesAt: NOW + 2 * HOUR_MS } })
  })

  it('the notice is never shorter than the minimum of the mode', () => {
    const short = new TermsHistory([['notice', ALL, '1000'] as const, ...FIRST.slice(1)].map(entryOf))
    for (const mode of ['live', 'demo'] as const)
      expect(decideRow(['payout', '60', '8500'], { history: short, mode })).toMatchObject({
        value: { appliesAt: NOW + Math.max(MIN_NOTICE_MS[mode], MINUTE_MS + 5_000) },
      })
  })

  it('the notice begins at the time of the newest entry if the clock was set back to before this time', () => {
    const history = new TermsHistory([{ ...entryOf(FIRST[0]!, 0), announcedAt: instant(NOW + 5_000) }])
    expect(decideRow(['ceiling', ALL, '600000'], { history })).toMatchObject({
      value: { announcedAt: NOW + 5_000, appliesAt: NOW + 5_000 + HOUR_MS },
    })
  })

  it('the notice of a pause of sales is the same in every mode and for every notice in force', () => {
    const day = historyOf(['notice', ALL, String(DAY_MS)])
    for (const mode of ['live', 'demo'] as const)
      expect(decideRow(['sale_pause', 'us_fx', '600000'], { history: day, mode })).toMatchObject({
        value: { appliesAt: NOW + HOUR_MS + MINUTE_MS },
      })
  })

  it('a change applies at most 90 days after its announcement', () => {
    expect(decideRow(['payout', '60', '8500', NOW + 90 * DAY_MS])).toMatchObject({ ok: true })
    expect(decideRow(['payout', '60', '8500', NOW + 90 * DAY_MS + 1])).toMatchObject({ refusal: 'terms_too_late' })
  })
})

describe('the limits', () => {
  it.each<[string, Row, Mode, string | null]>([
    ['100 %', ['payout', '60', '10000'], 'live', null],
    ['more than 100 %', ['payout', '60', '10001'], 'live', 'terms_bounds'],
    ['less than 1 %', ['payout', '60', '99'], 'live', 'terms_bounds'],
    ['10 s in a demo', ['duration', '10', 'open'], 'demo', null],
    ['10 s with real money', ['duration', '10', 'open'], 'live', 'terms_bounds'],
    ['a week', ['duration', '604800', 'open'], 'live', null],
    ['more than a week', ['duration', '604801', 'open'], 'live', 'terms_bounds'],
    ['zeros before the seconds', ['duration', '060', 'open'], 'live', 'terms_bounds'],
    ['another state', ['duration', '60', 'closing'], 'live', 'terms_bounds'],
    ['10 s of age for crypto', ['max_tick_age', 'BTC', '10000'], 'live', null],
    ['more for crypto', ['max_tick_age', 'BTC', '10001'], 'live', 'terms_bounds'],
    ['30 s of age for stocks', ['max_tick_age', 'AAPL', '30000'], 'live', null],
    ['more for stocks', ['max_tick_age', 'AAPL', '30001'], 'live', 'terms_bounds'],
    ['ten minutes in a demo', ['max_tick_age', 'BTC', '600000'], 'demo', 'terms_bounds'],
    ['an age below a second', ['max_tick_age', 'BTC', '999'], 'live', 'terms_bounds'],
    ['10,000.00', ['ceiling', ALL, '1000000'], 'live', null],
    ['more than 10,000.00', ['ceiling', ALL, '1000001'], 'live', 'terms_bounds'],
    ['a stake up to the ceiling', ['max_stake', '60', '500000'], 'live', null],
    ['a stake above the ceiling', ['max_stake', '60', '500001'], 'live', 'above_ceiling'],
    ['a ceiling below a stake', ['ceiling', ALL, '199999'], 'live', 'above_ceiling'],
    ['a minimum above the maximum', ['min_stake', '60', '200001'], 'live', 'stakes_crossed'],
    ['a maximum below the minimum', ['max_stake', '60', '999'], 'live', 'stakes_crossed'],
    ['the first stake of a duration', ['min_stake', '60', '200000'], 'live', null],
    ['a duration that is open', ['duration', '60', 'open'], 'live', 'duration_known'],
    ['an unknown duration', ['payout', '61', '8000'], 'live', 'not_found'],
    ['an unknown symbol', ['symbol', 'NOPE', 'open'], 'live', 'not_found'],
    ['a pause of a minute', ['sale_pause', 'BTC', '60000'], 'live', null],
    ['a shorter pause', ['sale_pause', 'BTC', '59999'], 'live', 'terms_bounds'],
    ['a pause of a day', ['sale_pause', 'crypto', '86400000'], 'live', null],
    ['a longer pause', ['sale_pause', 'crypto', '86400001'], 'live', 'terms_bounds'],
    ['a pause of an unknown symbol', ['sale_pause', 'NOPE', '60000'], 'live', 'not_found'],
    ['a pause of a market by another name', ['sale_pause', 'usd_fx', '60000'], 'live', 'not_found'],
    ['a pause of everything', ['sale_pause', ALL, '60000'], 'live', 'not_found'],
    ['a ceiling of one duration', ['ceiling', '60', '1000'], 'live', 'not_found'],
  ])('%s', (_, row, mode, refusal) => {
    const decided = decideRow(row, { mode })
    expect(decided.ok ? null : decided.refusal).toBe(refusal)
  })

  it('a refusal shows the limits in the units that operators type', () => {
    const limits = (row: Row) => {
      const decided = decideRow(row)
      return decided.ok ? null : decided.params
    }
    expect(limits(['payout', '60', '1'])).toEqual({ least: '1', most: '100' })
    expect(limits(['max_stake', '60', '0'])).toEqual({ least: '0.01', most: '10000.00' })
    expect(limits(['notice', ALL, '1'])).toEqual({ least: '3600', most: '2592000' })
    expect(limits(['sale_pause', 'BTC', '1'])).toEqual({ least: '1', most: '1440' })
    expect(limits(['duration', '1', 'open'])).toEqual({ least: '30', most: '604800' })
    expect(limits(['max_stake', '60', '600000'])).toEqual({ value: '5000.00' })
  })

  it('an announced maximum limits the stake from the moment it applies', () => {
    const history = historyOf(['max_stake', '60', '1500', NOW + 2 * HOUR_MS])
    expect(decideRow(['min_stake', '60', '1600'], { history })).toMatchObject({ refusal: 'stakes_crossed' })
    expect(decideRow(['min_stake', '60', '1500'], { history })).toMatchObject({ ok: true })
  })

  it('a withdrawn duration can be opened again after the notice', () => {
    const history = historyOf(['duration', '60', 'withdrawn', NOW + 1])
    expect(decideRow(['duration', '60', 'open'], { history })).toMatchObject({ value: { appliesAt: NOW + HOUR_MS } })
  })
})

/** Announces the given changes one after another, each after its wait. Refused announcements are left out. */
function announceAll(steps: readonly (readonly [wait: number, row: Row, ahead: number | null])[], mode: Mode) {
  const entries = FIRST.map(entryOf)
  let now = NOW
  for (const [wait, [what, of, value], ahead] of steps) {
    now += wait
    const history = new TermsHistory(entries)
    const appliesAt = ahead === null ? null : now + ahead
    const decided = decide({ what, of, value, appliesAt }, { history, mode, now })
    if (decided.ok) entries.push({ ...entryOf([what, of, value], entries.length), ...decided.value })
  }
  return { history: new TermsHistory(entries), entries }
}

describe('for any sequence of announcements', () => {
  const notices = [MINUTE_MS, HOUR_MS, 2 * HOUR_MS, DAY_MS].map(String)
  const rows = fc.oneof(
    fc.tuple(fc.constant<TermsPart>('payout'), fc.constant('60'), fc.integer({ min: 1, max: 20_000 }).map(String)),
    fc.tuple(fc.constant<TermsPart>('notice'), fc.constant(ALL), fc.constantFrom(...notices)),
    fc.tuple(fc.constant<TermsPart>('duration'), fc.constant('60'), fc.constantFrom('open', 'withdrawn')),
    fc.tuple(
      fc.constantFrom<TermsPart>('min_stake', 'max_stake'),
      fc.constant('60'),
      fc.integer({ min: 0, max: 600_000 }).map(String),
    ),
    fc.tuple(fc.constant<TermsPart>('ceiling'), fc.constant(ALL), fc.integer({ min: 1, max: 1_200_000 }).map(String)),
  )
  const steps = fc.array(
    fc.tuple(fc.nat({ max: 2 * DAY_MS }), rows, fc.option(fc.nat({ max: 3 * DAY_MS }), { freq: 2 })),
    { maxLength: 40 },
  )
  const modes = fc.constantFrom<Mode>('live', 'demo')

  it('no payout is in force that was not public for the notice', () => {
    fc.assert(
      fc.property(steps, modes, (list, mode) => {
        const { history, entries } = announceAll(list, mode)
        for (const { what, announcedAt, appliesAt, n } of entries.slice(FIRST.length)) {
          if (what !== 'payout') continue
          // The expected notice, computed from the entries that were public then, without the code under test.
          const notice = entries.findLast((one) => one.what === 'notice' && one.appliesAt <= announcedAt && one.n < n)
          const floor = mode === 'live' ? HOUR_MS : MINUTE_MS
          expect(appliesAt - announcedAt).toBeGreaterThanOrEqual(Math.max(floor, Number(notice?.value)))
        }
        for (const step of history.steps('payout', '60')) expect(Number(step.value)).toBeLessThanOrEqual(10_000)
      }),
    )
  })

  it('no notice becomes shorter before the old one has passed', () => {
    fc.assert(
      fc.property(steps, modes, (list, mode) => {
        const notices = announceAll(list, mode).history.steps('notice', ALL)
        const floor = mode === 'live' ? HOUR_MS : MINUTE_MS
        const early = notices.filter(({ value, announcedAt, appliesAt }, at) => {
          const before = Math.max(floor, Number(notices[at - 1]?.value ?? 0))
          const inForce = Math.max(floor, Number(notices.findLast((one) => one.appliesAt <= announcedAt)?.value ?? 0))
          return Number(value) < before && appliesAt - announcedAt < Math.min(inForce, before)
        })
        expect(early).toEqual([])
      }),
    )
  })

  it('the smallest stake is never above the largest stake, and the largest stake is never above the ceiling', () => {
    fc.assert(
      fc.property(steps, modes, (list, mode) => {
        const { history, entries } = announceAll(list, mode)
        for (const { appliesAt } of entries) {
          const valueOf = (what: TermsPart, of: string) => Number(history.inForce(what, of, appliesAt)?.value)
          expect(valueOf('min_stake', '60')).toBeLessThanOrEqual(valueOf('max_stake', '60'))
          expect(valueOf('max_stake', '60')).toBeLessThanOrEqual(valueOf('ceiling', ALL))
        }
      }),
    )
  })
})
