import type { z } from 'zod'
import { describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { BUY, SELL, type Direction } from '#core/orders/order.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { readSiteState } from '#server/back-office/alerts/read-site-state.ts'
import { NO_COUNTRIES } from '#server/platform/countries/address-countries.ts'
import { orderRequest } from '#test/support/order-request.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useWorld } from '#test/support/use-world.ts'

let app: TestApp
let alice: TestUser
let markets: StaffSession
const { share } = useWorld({
  begin: async (database) => {
    app = await createTestApp(database)
    await app.startMarkets()
    alice = await app.verifiedUser('alice')
    await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
    markets = await app.staff('markets')
    await speak()
  },
  end: () => app.stop(),
})

async function speak(): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(1, 9_000_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => assert(app.ticks.latest(1)?.time === time, 'there is a price'))
}

/** Advances the clock past the notice, so that announced caps come into force, and sends a new price. */
async function passNotice(): Promise<void> {
  await app.passNotice()
  await speak()
}

type Body = z.input<typeof staffCalls.staffSaveCap.body>
type Cap = Pick<Body, 'scope' | 'key' | 'most'> & Partial<Body>

async function cap(body: Cap, by: StaffSession = markets) {
  const { version = 0, reason = 'a busy day', ...rest } = body
  return await by.call(staffCalls.staffSaveCap, { body: { ...rest, version, reason } })
}

let orders = 0
async function place(direction: Direction = BUY, stake = 2_000): Promise<string> {
  const request = orderRequest(alice.id, `order-${(orders += 1)}`, { direction, stake: money(stake) })
  const answer = await app.engine.place(request)
  return answer.ok ? 'open' : answer.refusal
}

const exposure = async () => {
  const { body } = await markets.call(staffCalls.staffExposure, {})
  return body.data
}
const rowOf = async (scope: string, key: string) =>
  (await exposure()).rows.find((row) => row.scope === scope && row.key === key)

describe('setting a cap', () => {
  const BTC_CAP: Cap = { scope: 'symbol', key: 'BTC', most: 20, confirmed: true }

  it('OD7.3, OD7.5: a cap applies within a minute to all users and both sides, and is published with its time', async () => {
    const saved = await cap(BTC_CAP)
    expect(saved.status).toBe(200)
    await passNotice()
    expect(await place(BUY)).toBe('open')
    expect([await place(BUY), await place(SELL), await place(SELL)]).toEqual(['exposure_full', 'open', 'exposure_full'])
    const { data } = (await app.call(calls.proofCaps, {})).body
    expect(data.caps).toEqual([{ scope: 'symbol', key: 'BTC', most: 20, since: saved.body.data.applies_at }])
    const day = toIso(app.ctx.now()).slice(0, 10)
    expect(data.refused).toEqual([
      { day, symbol: 'BTC', direction: 'buy', orders: 1 },
      { day, symbol: 'BTC', direction: 'sell', orders: 1 },
    ])
    expect(await rowOf('symbol', 'BTC')).toMatchObject({
      most: 20,
      coming: null,
      version: saved.body.data.version,
      refused: { buys: 1, sells: 1 },
    })
  })

  it('OD7.1, OD7.5: adds an entry to the trade terms, and an audit line with the reason', async () => {
    const { body } = await cap(BTC_CAP)
    const terms = await app.call(calls.proofTerms, {})
    expect(terms.body.data.entries[0]?.text).toContain('"what":"cap","of":"symbol_BTC","value":"2000"')
    const line = await app.ctx.db
      .selectFrom('admin_action')
      .select(['what', 'target', 'reason', 'after'])
      .where('what', '=', 'exposure/caps/save')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      target: 'cap symbol_BTC',
      after: { version: body.data.version, value: '2000' },
      reason: 'a busy day',
    })
    // Releases before this one recorded the same action as `cap.save`.
    await app.ctx.db.transaction().execute(async (tx) => {
      const entry = { target: 'cap symbol_BTC', outcome: 'done' } as const
      await recordAction(tx, app.ctx, { who: 'mara', what: 'cap.save' }, entry)
    })
    const owner = await app.staff('owner')
    const { rows } = (await owner.call(staffCalls.staffAudit, { query: { area: 'exposure' } })).body.data
    expect(rows.map(({ what }) => what)).toEqual(['cap.save', 'exposure/caps/save'])
  })

  it('OD7.3: a cap is removed with the same call and notice, and then no order is refused', async () => {
    const first = await cap({ ...BTC_CAP, most: 1 })
    await passNotice()
    expect(await place()).toBe('exposure_full')
    expect((await cap({ ...BTC_CAP, most: null, version: first.body.data.version })).status).toBe(200)
    await passNotice()
    expect(await place()).toBe('open')
    expect((await app.call(calls.proofCaps, {})).body.data.caps).toEqual([])
  })

  it('OD7.3: a cap below the current exposure does not change open orders', async () => {
    expect(await place()).toBe('open')
    await cap({ ...BTC_CAP, most: 1 })
    app.ctx.clock.advance(50_000)
    const open = await app.ctx.db.selectFrom('open_order').select('stake').execute()
    expect(open).toEqual([{ stake: 2_000n }])
  })

  describe('a cap with wrong input', () => {
    share()

    it.each<[string, Partial<Cap>, string]>([
      ['zero', { most: 0 }, 'cap_invalid'],
      ['a negative amount', { most: -5 }, 'cap_invalid'],
      ['three decimals', { most: 1.005 }, 'cap_invalid'],
      ['an unknown symbol', { key: 'XYZ' }, 'cap_invalid'],
      ['another key of the site', { scope: 'site', key: 'BTC' }, 'cap_invalid'],
      ['nothing to remove', { most: null }, 'cap_invalid'],
      ['no reason', { reason: ' ' }, 'reason_needed'],
      ['an older version', { version: 7 }, 'changed_meanwhile'],
      ['less than one order, unconfirmed', { confirmed: false }, 'cap_below_one_order'],
    ])('OD7.5: refuses %s and changes nothing', async (_what, change, code) => {
      const before = app.catalogue.terms.newest?.n
      const answer = await cap({ ...BTC_CAP, ...change })
      expect(answer.body).toMatchObject({ code })
      expect(app.catalogue.terms.newest?.n).toBe(before)
    })
  })

  it('OD7.5: finance can see caps but set none, and support cannot see them', async () => {
    const finance = await app.staff('finance')
    expect((await cap(BTC_CAP, finance)).status).toBe(403)
    expect((await finance.call(staffCalls.staffExposure, {})).status).toBe(200)
    expect((await (await app.staff('support')).call(staffCalls.staffExposure, {})).status).toBe(403)
  })

  it('OD7.5: a cap cannot be announced through the call for other trade terms', async () => {
    const body = { what: 'cap' as never, of: 'symbol_BTC', value: '2000', applies_at: null, seen_n: 0 }
    const { status } = await markets.call(staffCalls.staffAnnounceTerms, { body })
    expect(status).toBe(422)
  })
})

describe('the exposure', () => {
  it('OD7.5: shows the possible profits of buys and of sells for each scope, and the fullest minute of expiry', async () => {
    expect([await place(BUY), await place(BUY), await place(SELL)]).toEqual(['open', 'open', 'open'])
    const profit = await profitOf(2_000)
    for (const [scope, key] of [
      ['site', 'all'],
      ['market', 'crypto'],
      ['symbol', 'BTC'],
      ['expiry', 'BTC'],
    ] as const) {
      expect(await rowOf(scope, key)).toMatchObject({
        used: { buys: 2 * profit, sells: profit },
        most: null,
        version: 0,
      })
    }
    expect((await rowOf('expiry', 'BTC'))?.minute).not.toBeNull()
    expect(await rowOf('market', 'us_stocks')).toMatchObject({ used: { buys: 0, sells: 0 } })
  })

  async function profitOf(cents: number): Promise<number> {
    const row = await app.ctx.db.selectFrom('open_order').select('profit_basis_points').executeTakeFirstOrThrow()
    return (cents * row.profit_basis_points) / 10_000 / 100
  }

  it('OD7.5: reports a cap for an alert when it is 80 % used, and as full when no order fits', async () => {
    const state = async () =>
      (
        await readSiteState(
          {
            ...app,
            countries: { ...NO_COUNTRIES, header: null },
            errors: { recent: () => [] },
            faults: { recent: () => [] },
          },
          new Map(),
        )
      ).caps
    expect(await state()).toEqual([])
    expect(await place(BUY, 10_000)).toBe('open')
    const used = await profitOf(10_000)
    await cap({ scope: 'symbol', key: 'BTC', most: used * 1.25, confirmed: true })
    await cap({ scope: 'market', key: 'crypto', most: used, confirmed: true })
    app.ctx.clock.advance(MINUTE_MS + 10_000)
    expect((await state()).toSorted((a, b) => a.of.localeCompare(b.of))).toEqual([
      { of: 'market_crypto', percent: 100, isFull: true },
      { of: 'symbol_BTC', percent: 80, isFull: false },
    ])
  })
})
