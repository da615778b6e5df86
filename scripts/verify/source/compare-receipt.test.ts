import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { BUY } from '#core/orders/order.ts'
import { bundleText, readBundle, readBundleFile } from '#core/proof/bundle-file.ts'
import { readFacts } from '#core/proof/read-facts.ts'
import { assert } from '#core/result.ts'
import { instant, later, SECOND_MS } from '#core/time/instant.ts'
import { RecordedSite } from '#test/support/recorded-site.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkReceiptFile, type CompareSource } from '../check-receipt-file.ts'
import { DIFFERS, MATCHES } from '../check-verdict.ts'
import { compareReceipt } from './compare-receipt.ts'

const database = useTestDatabase()
let site: RecordedSite
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-source-'))
})
afterEach(async () => {
  await site.end()
  rmSync(folder, { recursive: true, force: true })
})

const settledOrders = () => database.db.selectFrom('order_history').selectAll().orderBy('id').execute()

/** Saves the check file of an order, as its user downloads it. */
async function saveFile(order?: string): Promise<string> {
  const trx = order ?? (await settledOrders())[0]?.trx
  assert(trx, 'an order has settled')
  const receipts = await site.app.call(calls.proofReceipt, { params: { trx } })
  const evidence = await site.app.call(calls.proofEvidence, { params: { trx } })
  const { keys } = (await site.app.call(calls.proofKeys)).body.data
  const read = readBundle({ ...receipts.body.data, evidence: evidence.body.data, keys })
  assert(read, 'the receipts can be read')
  const path = join(folder, `${trx}.json`)
  writeFileSync(path, bundleText({ ...read, ...read.evidence }, []))
  return path
}

/** Reads pages of the provider's record from the fake provider of the test. */
async function read(url: string): Promise<unknown> {
  const { pathname, search } = new URL(url)
  return await (await fetch(`${site.market.record.url}${pathname}${search}`)).json()
}

const compare: CompareSource = (facts, known) => compareReceipt(facts, known, read)

it('A88: attack: finds false trades in late evidence', async () => {
  site = await RecordedSite.begin(database, 'binance')
  await site.placeOrders()
  const { last } = site.market.around(site.expiry)
  // The server's network is redirected, so the server reads a record that lies about the last trade.
  site.market.correctRecord((trade) =>
    trade.ref === last?.ref ? { ...trade, price: (Number(trade.price) + 1).toFixed(2) } : trade,
  )
  await site.stopFrom(later(site.expiry, -8 * SECOND_MS), 20 * SECOND_MS)
  await site.runUntilSettled()
  expect(await site.differences()).not.toEqual([])
  const path = await saveFile()
  // The receipt follows from the tick log, so only a comparison with the provider's record reveals the lie.
  expect((await checkReceiptFile([path])).exitCode).toBe(MATCHES)
  site.market.correctRecord((trade) => trade)
  const { exitCode, lines } = await checkReceiptFile([path], compare)
  expect(exitCode).toBe(DIFFERS)
  expect(lines).toContainEqual(`  another price: 1 (${last?.ref ?? ''})`)
})

it('A117: attack: finds a false trade as the entry of an order', async () => {
  site = await RecordedSite.begin(database, 'binance')
  await site.placeOrders()
  await site.runUntilSettled()
  const path = await saveFile()
  const { entry_ref: ref } = await database.db
    .selectFrom('order_history')
    .select('entry_ref')
    .where('expires_ms', '=', BigInt(site.expiry))
    .executeTakeFirstOrThrow()
  // The provider's true price differs from the price that the server wrote into its tick log and signed.
  site.market.correctRecord((trade) =>
    trade.ref === Number(ref) ? { ...trade, price: (Number(trade.price) + 1).toFixed(2) } : trade,
  )
  expect((await checkReceiptFile([path])).exitCode).toBe(MATCHES)
  const { exitCode, lines } = await checkReceiptFile([path], compare)
  expect(exitCode).toBe(DIFFERS)
  expect(lines).toContainEqual(`  another price: 1 (${String(ref)})`)
})

it('the comparison finds each trade of an honest receipt in the record of its source', async () => {
  site = await RecordedSite.begin(database, 'binance')
  await site.placeOrders()
  await site.runUntilSettled()
  const { exitCode, lines } = await checkReceiptFile([await saveFile()], compare)
  expect([exitCode, lines.at(-1)]).toEqual([MATCHES, 'It matches.'])
  expect(lines).toContainEqual('BTC from binance: 3 compared, 3 equal')
})

it.each(['binance', 'coinbase'] as const)(
  'A88: attack: finds an order that is void although the record of %s decides it',
  async (provider) => {
    site = await RecordedSite.begin(database, provider, { waits: 'demo' })
    await site.placeOrders()
    site.market.record.mood = 'cut'
    await site.stopFrom(later(site.expiry, -8 * SECOND_MS), 20 * SECOND_MS)
    await site.runUntilSettled()
    site.market.record.mood = 'well'
    const results = await Promise.all(
      (await settledOrders()).map(async ({ direction, entry_price: entry, trx }) => {
        const change = Math.round(Number(site.market.around(site.expiry).last?.price) * 100) - Number(entry)
        const isWin = direction === BUY ? change > 0 : change < 0
        const path = await saveFile(trx)
        expect((await checkReceiptFile([path])).exitCode).toBe(MATCHES)
        const { exitCode, lines } = await checkReceiptFile([path], compare)
        expect(lines.some((line) => line.startsWith('  void, and won by the record'))).toBe(isWin)
        expect(exitCode).toBe(isWin ? DIFFERS : MATCHES)
        return isWin
      }),
    )
    expect(new Set(results)).toEqual(new Set([true, false]))
  },
)

it('A88: attack: finds a trade between the exit and the expiry', async () => {
  site = await RecordedSite.begin(database, 'binance')
  await site.placeOrders()
  await site.runUntilSettled()
  const content = readBundleFile(readFileSync(await saveFile(), 'utf8'))
  assert(typeof content !== 'string', 'the file can be read')
  const facts = readFacts(content.result?.facts ?? '')
  assert(facts?.kind === 'result' && facts.exit, 'the receipt names an exit')
  const earlier = site.market.around(instant(facts.exit.time_ms - 1)).last
  assert(earlier, 'the market has an earlier trade')
  const exit = {
    ...facts.exit,
    price: Math.round(Number(earlier.price) * 100),
    time_ms: earlier.timeMs,
    ref: earlier.ref,
  }
  const { exitCode, lines } = await compareReceipt(
    { ...facts, exit },
    { amended: null, sources: content.evidence?.sources ?? [] },
    read,
  )
  expect(exitCode).toBe(DIFFERS)
  expect(lines.at(-1)).toMatch(new RegExp(`later trade before the expiry: .* \\(${facts.exit.ref}\\)$`))
})
