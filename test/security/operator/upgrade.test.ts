import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { readFacts } from '#core/proof/read-facts.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { forceTerms } from '#test/support/force-terms.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
  await useRule('1')
  await app.startMarkets()
})
afterEach(() => app.stop())

async function useRule(value: '1' | '2'): Promise<void> {
  await forceTerms(database.db, [{ what: 'rule', of: 'all', value }])
  await app.catalogue.reload()
}

async function speak(units: number): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC.id, units, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC.id)?.time).toBe(time))
}

it('A87: attack: rule 1 order across the upgrade', async () => {
  const userId = await createFundedUser(app.ctx, money(1_000_000n))
  const place = async (clientOrderId: string): Promise<void> => {
    await speak(9_400_000)
    expect(await app.engine.place(orderRequest(userId, clientOrderId))).toMatchObject({ ok: true })
  }
  await place('before')
  await useRule('2')
  await place('after')
  app.ctx.clock.advance(MINUTE_MS - 2 * SECOND_MS)
  await speak(9_500_000)
  app.ctx.clock.advance(5 * SECOND_MS)
  await speak(9_300_000)
  const settled = () =>
    database.db
      .selectFrom('order_history')
      .select(['client_order_id', 'rule_version', 'result', 'exit_price', 'trx'])
      .orderBy('client_order_id', 'desc')
      .execute()
  await vi.waitFor(async () => {
    await app.engine.settleDue()
    expect(await settled()).toHaveLength(2)
  })
  const end = { result: 1, exit_price: 9_500_000n }
  const orders = await settled()
  expect(orders).toMatchObject([
    { client_order_id: 'before', rule_version: 1, ...end },
    { client_order_id: 'after', rule_version: 2, ...end },
  ])
  // Each rule decides by its own prices, and its receipts have its own version.
  expect(await database.db.selectFrom('settlement_price').select('symbol_id').execute()).toHaveLength(1)
  expect(await database.db.selectFrom('decided_price').select('rule').execute()).toEqual([{ rule: 2 }])
  for (const { trx, rule_version: rule } of orders) {
    const { body } = await app.call(calls.proofReceipt, { params: { trx } })
    expect(readFacts(body.data.result?.facts ?? '')).toMatchObject({ v: rule, rule, result: 'win' })
  }
})
