import { expect, it } from 'vitest'
import { BUY, SELL } from '#core/orders/order.ts'
import { amendedText } from '#core/proof/receipt-facts.ts'
import { readAmendedFacts } from '#core/proof/read-facts.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { payAmendments } from '#server/proof/made-good/pay-made-good.ts'
import { countAudits } from '#server/proof/audit/record-audit.queries.ts'
import { amendedLeaves } from '#server/proof/receipts/amended-leaves.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'
import { useMadeGoodSites } from '#test/support/made-good-sites.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const { begin, payments, orders, jobsByHand } = useMadeGoodSites(database)

/** Opens a site whose orders have ended. All prices that decided an order are chosen for the audit. */
async function auditedSite() {
  const site = await begin()
  await site.placeOrders()
  await site.runUntilSettled()
  const jobs = await jobsByHand(site)
  const decided = await database.db
    .selectFrom('decided_price')
    .select(['symbol_id', 'source', 'expires_ms', 'max_tick_age_ms', 'rule', 'evidence'])
    .execute()
  const chosen = decided.map((key) => ({ ...key, chosen_ms: site.ctx.now() }))
  await database.db.insertInto('record_audit').values(chosen).execute()
  return { ...jobs, ended: await orders(), chosen: chosen.length }
}

it('A232: attack: an entry at a price that its source never had: pays users who missed money, once two readings of the record agree', async () => {
  const { site, market, payer, readAfter, ended, chosen } = await auditedSite()
  const entryRef = Number(ended[0]?.entry_ref)
  expect(ended.map((order) => Number(order.entry_ref))).toEqual(ended.map(() => entryRef))
  const below = Math.min(...ended.map((order) => Number(order.exit_price))) - 1
  // By the record, the price rose from the entry to the expiry, so each order to buy wins.
  market.correctRecord((trade) => (trade.ref === entryRef ? { ...trade, price: (below / 100).toFixed(2) } : trade))
  await readAfter(MINUTE_MS)
  expect(await countAudits(database.db, TEST_START)).toEqual({ chosen, equal: 0, different: chosen })
  await payAmendments(payer)
  expect(await payments()).toEqual([])
  await readAfter(DAY_MS)
  await payAmendments(payer)
  const better = ended.filter(({ direction, result }) => direction === BUY && result !== 1)
  const missed = new Map(
    better.map(({ id, stake, result, profit_basis_points: payout }) => [
      id,
      (stake * BigInt(payout)) / 10_000n + (result === 2 ? stake : 0n),
    ]),
  )
  expect(ended.some(({ direction }) => direction === SELL)).toBe(true)
  expect(better.length).toBeGreaterThan(0)
  expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(missed)
  expect((await checkLedger(database.db)).clean).toBe(true)
  const [leaf] = await amendedLeaves(database.db, payer.catalogue, [
    { userId: site.userId, orderId: better[0]?.id ?? '' },
  ])
  const facts = readAmendedFacts(leaf?.text ?? '')
  expect(facts?.record.entry).toMatchObject({ price: below, ref: entryRef })
  expect(facts && amendedText(facts)).toBe(leaf?.text)
})

it("A232: requests the provider's history once for the expiry and once for all entries of a minute", async () => {
  const { market, readAfter, chosen } = await auditedSite()
  const before = market.record.calls.length
  await readAfter(MINUTE_MS)
  // Each query has one page by time, followed by other pages.
  const questions = market.record.calls.slice(before).filter((call) => call.includes('startTime='))
  expect(questions).toHaveLength(2 * chosen)
  expect(await countAudits(database.db, TEST_START)).toEqual({ chosen, equal: chosen, different: 0 })
})

it("A232: accepts no reading while the provider's history does not include the entries", async () => {
  const { market, readAfter, ended, chosen } = await auditedSite()
  const entryMs = Number(ended[0]?.entry_time_ms)
  // The record has lost everything up to the entry.
  market.correctRecord((trade) => (trade.timeMs <= entryMs ? { ...trade, isLost: true } : trade))
  await readAfter(MINUTE_MS)
  expect(await countAudits(database.db, TEST_START)).toEqual({ chosen, equal: 0, different: 0 })
  expect(await database.db.selectFrom('record_check').selectAll().execute()).toEqual([])
})
