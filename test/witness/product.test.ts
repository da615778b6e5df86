import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { beginAgain } from '#server/register/identity.queries.ts'
import { entriesFrom } from '#server/register/register.queries.ts'
import { closeRegister } from '#test/support/close-register.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkEntry, emptyFacts } from '../../tools/witness/entries.mjs'

const database = useTestDatabase()
let app: TestApp

beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterEach(() => app.stop())

async function placeOrder(userId: string): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(1, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(1)?.time).toBe(time))
  const choice = { direction: BUY, tradeSettingId: 1, stake: money(1_000n), symbol: 'BTC' }
  const order = { userId, clientOrderId: app.ctx.newId(), marketType: null, slippageGuard: null, ...choice }
  expect(await app.engine.place(order)).toMatchObject({ ok: true })
  await app.receipts.idle()
}

type Staff = Awaited<ReturnType<TestApp['staff']>>

/** Returns a function that announces another payout. */
function announcer(owner: Staff): (payout: number) => Promise<void> {
  return async (payout) => {
    const { newest_n: seen } = (await owner.call(staffCalls.staffTermsState)).body.data
    const change = { what: 'payout', of: '60', value: String(payout), applies_at: null, seen_n: seen } as const
    expect(await owner.call(staffCalls.staffAnnounceTerms, { body: change })).toMatchObject({ status: 200 })
  }
}

/** Reads all entries as a witness would that saw each entry within a minute after its time. */
async function findings(): Promise<{ readonly kinds: readonly string[]; readonly codes: readonly string[] }> {
  const { origin } = (await app.call(calls.proofRegister)).body.data
  const facts = emptyFacts([])
  const entries = await entriesFrom(app.ctx.db, 0, 1_000)
  const codes = entries.flatMap(({ text, atMs }, index) => {
    const seen = { low: atMs, high: atMs + MINUTE_MS }
    return checkEntry(facts, origin, index, Buffer.from(text), seen).map(({ code, text: what }) => `${code}: ${what}`)
  })
  return { kinds: entries.map(({ kind }) => kind), codes }
}

describe('the register of this product', () => {
  it('the register of this product follows all rules that a witness checks', async () => {
    const announce = announcer(await app.staff('owner'))
    const user = await app.verifiedUser('alice')
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
    for (let minute = 0; minute < 3; minute++) {
      await placeOrder(user.id)
      await announce(8_000 + minute)
      app.ctx.clock.advance(30 * SECOND_MS)
      await closeRegister(app)
      app.ctx.clock.advance(30 * SECOND_MS)
    }
    const { kinds, codes } = await findings()
    expect(codes).toEqual([])
    expect(kinds).toEqual(expect.arrayContaining(['genesis', 'terms', 'ticks', 'receipts', 'owed']))
  })

  it('a register that begins again continues the numbers and notice periods of the first', async () => {
    const announce = announcer(await app.staff('owner'))
    await announce(8_000)
    await closeRegister(app)
    await beginAgain(app.ctx)
    await announce(8_100)
    await closeRegister(app)
    app.ctx.clock.advance(MINUTE_MS)
    await announce(8_200)
    await closeRegister(app)
    const { kinds, codes } = await findings()
    expect(kinds.filter((kind) => kind === 'terms')).toHaveLength(2)
    expect(codes).toEqual([])
  })
})
