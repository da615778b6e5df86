import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type Bundle, type BundleFault, checkBundle } from '#core/proof/check-bundle.ts'
import { bundleText, readBundle, readBundleFile } from '#core/proof/bundle-file.ts'
import { readSaleFacts } from '#core/proof/read-facts.ts'
import { termsText } from '#core/markets/terms/terms-entry.ts'
import type { Receipt } from '#core/proof/receipt.ts'
import { type SaleFacts, saleOwnerText, saleText } from '#core/proof/sale-facts.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, later, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import { termsHash } from '#server/market-data/catalogue/terms.queries.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import { runDocumentedProgram } from '#test/verifier/documented-program.ts'
import { BASE, SaleRun } from '#test/support/sale-run.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { askVerifier } from '#test/verifier/run-verifier.ts'
import { signer, signTexts } from '#test/verifier/signed-orders.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { MATCHES } from './check-verdict.ts'

const database = useTestDatabase({ emptied: 'once' })
let run: SaleRun
let bundle: Bundle & { readonly sale: Receipt; readonly accepted: Receipt }
let facts: SaleFacts

/** Downloads the receipts of an order, as the check page does. */
async function download(trx: string): Promise<typeof bundle> {
  const { app, alice } = run
  const request = { params: { trx }, token: alice.token }
  const receipts = (await app.call(calls.proofReceipt, request)).body.data
  const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const read = readBundle({ ...receipts, evidence, keys })
  assert(read?.sale && read.accepted, 'the order has receipts of its acceptance and of its sale')
  const { evidence: pieces, ...others } = read
  return { ...others, ...pieces, sale: read.sale, accepted: read.accepted }
}

let trx: string
beforeAll(async () => {
  run = await SaleRun.start(database)
  const { app } = run
  const id = await run.orderForSale()
  ;({ trx } = await run.tradeOf(id))
  await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
  app.ctx.clock.advance(SECOND_MS)
  await run.speak(BASE + 3_000)
  app.ctx.clock.advance(400)
  await run.speak(BASE - 3_000)
  await run.decided(id)
  await vi.waitUntil(async () => {
    app.ctx.clock.advance(SECOND_MS)
    return (await app.call(calls.proofReceipt, { params: { trx } })).status === 200
  })
  bundle = await download(trx)
  const read = readSaleFacts(bundle.sale.facts)
  assert(read, 'the facts of a sale')
  facts = read
})
afterAll(() => run.app.stop())

it('the receipt of a sale is signed, names no user and no amount, and its amount can be computed again from the tick log', () => {
  expect(checkBundle(SERVER_TOOLS, bundle)).toMatchObject({ faults: [], sale: { trx, fee_bp: 400, c: 90 } })
  expect(bundle.result).toBeNull()
  expect(bundle.sale.facts).not.toMatch(/stake|"paid"|alice/)
  expect(bundle.sale.sale_owner).toContain('"least":"100"')
  const file = readBundleFile(bundleText(bundle, []))
  assert(typeof file !== 'string' && file.evidence && file.keys, 'a file')
  expect(checkBundle(SERVER_TOOLS, { ...file, ...file.evidence, keys: file.keys }).faults).toEqual([])
})

it('strangers get the receipt without the amounts', async () => {
  const { sale } = (await run.app.call(calls.proofReceipt, { params: { trx } })).body.data
  expect(sale).not.toHaveProperty('sale_owner')
  expect(sale).not.toHaveProperty('owner')
})

/** The bundle with a sale that an operator signed again after a change. */
function forged(change: Partial<SaleFacts>, owner?: string): Bundle {
  const changed = { ...facts, ...change, ...(owner !== undefined && { sale_owner: sha256OfText(owner) }) }
  const [sale] = signTexts([saleText(changed)], [], { kind: 'sale', newestMs: changed.decided_ms })
  const [accepted] = signTexts([bundle.accepted.facts], [], { kind: 'accepted', newestMs: facts.opened_ms })
  assert(sale && accepted, 'signed again')
  const keys = [signer.published]
  return { ...bundle, keys, accepted, sale: { ...sale, ...(owner !== undefined && { sale_owner: owner }) } }
}

function amounts(change: object): string {
  const text: unknown = JSON.parse(bundle.sale.sale_owner ?? '')
  return saleOwnerText({ ...(text as Parameters<typeof saleOwnerText>[0]), ...change })
}

const faultsOf = (one: Bundle) => checkBundle(SERVER_TOOLS, one).faults

/**
 * Returns the bundle with one more entry in its trade terms: a pause of sales of symbol `of` for one minute, in force
 * from `from`.
 */
function withPause(of: string, from: number): Bundle {
  const terms = bundle.terms ?? []
  const previous = termsHash(terms.at(-1) ?? '')
  const [announcedAt, appliesAt] = [instant(from - 61 * MINUTE_MS), instant(from)]
  const rest = { announcedAt, appliesAt, isBefore: false, previous }
  const pause = { n: terms.length + 1, what: 'sale_pause' as const, of, value: String(MINUTE_MS), ...rest }
  return { ...bundle, terms: [...terms, termsText(pause)] }
}

const FORGERIES: readonly [string, () => Bundle, BundleFault][] = [
  [
    'a changed fact without a new signature',
    () => ({ ...bundle, sale: { ...bundle.sale, facts: saleText({ ...facts, win: facts.win + 1 }) } }),
    'root',
  ],
  [
    'a signature of another kind',
    () => ({ ...bundle, sale: { ...bundle.sale, signature: bundle.accepted.signature } }),
    'root',
  ],
  ['a better price', () => forged({ tick: { ...facts.tick, price: facts.tick.price - 1 } }), 'sale_tick'],
  ['the next price', () => forged({ tick: { ...facts.tick, q: facts.tick.q + 1 } }), 'sale_tick'],
  ['another time of receipt', () => forged({ received_ms: facts.received_ms - 1 }), 'sale_tick'],
  ['an earlier request', () => forged({ requested_ms: facts.requested_ms - 5 * SECOND_MS }), 'sale_tick'],
  ['a request that was stored after the price', () => forged({ requested_head: facts.decided_head }), 'sale_tick'],
  ['a request before the order', () => forged({ requested_ms: facts.opened_ms - 1 }), 'times'],
  ['another movement', () => forged({ movement: String(BigInt(facts.movement) + 1n) }), 'sale_value'],
  ['another chance', () => forged({ win: facts.win - 1 }), 'sale_value'],
  ['another chance of a draw', () => forged({ same: facts.same + 1 }), 'sale_value'],
  ['another scale', () => forged({ c: 80 }), 'terms_unknown'],
  ['a higher fee', () => forged({ fee_bp: 500 }), 'terms_unknown'],
  ['other terms', () => forged({ sale_terms: { ...facts.sale_terms, n: 1 } }), 'terms_unknown'],
  ['another head of the log', () => forged({ decided_head: { ...facts.decided_head, hash: '0'.repeat(64) } }), 'head'],
  ['another expiry', () => forged({ expires_ms: facts.expires_ms + MINUTE_MS }), 'terms'],
  ['a result beside the sale', () => ({ ...bundle, result: bundle.accepted }), 'terms'],
  ['a smaller payment', () => forged({}, amounts({ paid: '1' })), 'sale_amount'],
  ['a payment below the least amount', () => forged({}, amounts({ least: '18000' })), 'sale_amount'],
  ['amounts of another stake', () => forged({}, amounts({ stake: '20000' })), 'sale_amount'],
  [
    'amounts that were not signed',
    () => ({ ...bundle, sale: { ...bundle.sale, sale_owner: amounts({ least: '2' }) } }),
    'owner',
  ],
  ['a pause of its symbol that its order runs into', () => withPause(facts.symbol, facts.expires_ms), 'sale_limits'],
  [
    'a pause of its market that ended 20 minutes before',
    () => withPause(facts.market, facts.requested_ms - 21 * MINUTE_MS),
    'sale_limits',
  ],
  ['less of the log', () => ({ ...bundle, exitLog: bundle.exitLog.slice(3) }), 'sale_limits'],
]

it('the program of the documentation accepts the receipt and finds every forgery', () => {
  const files = [bundle, ...FORGERIES.map(([, make]) => make())].map((one) => ({ file: bundleText(one, []) }))
  const said = runDocumentedProgram('receipts', files)
  const names = ['none', ...FORGERIES.map(([name]) => name)]
  expect(said.map(({ exitCode, text }, at) => [names[at], exitCode === 1 ? 1 : text])).toEqual(
    names.map((name, at) => [name, at === 0 ? expect.stringContaining('matches') : 1]),
  )
})

it('the independent verifier accepts the receipt and refuses every forgery', () => {
  const files = [bundle, ...FORGERIES.map(([, make]) => make())]
  const answers = askVerifier(files.map((one) => ({ check: 'order', files: [bundleText(one, [])] })))
  expect(answers[0]).toMatchObject({ code: 0 })
  for (const [at, [name, make, fault]] of FORGERIES.entries()) {
    const answer = answers[at + 1]
    expect(answer?.code, name).toBe(1)
    expect([fault, ...faultsOf(make())], name).toContain(answer?.verdict)
  }
})

it.each(FORGERIES)('the check finds %s', (_, make, fault) => {
  expect(faultsOf(make())).toContain(fault)
})

it('the check accepts a sale when a pause is for another symbol, or lies outside the time from 20 minutes before the request until the expiry', () => {
  expect(faultsOf(withPause('ETH', facts.expires_ms))).toEqual([])
  expect(faultsOf(withPause(facts.symbol, facts.expires_ms + 1))).toEqual([])
  expect(faultsOf(withPause(facts.symbol, facts.requested_ms - 21 * MINUTE_MS - 1))).toEqual([])
})

it('the check accepts a sale that is unchanged and was only signed again with a published key', () => {
  expect(faultsOf(forged({}, amounts({})))).toEqual([])
})

it('P14: the command accepts a sale with the whole days of the tick log', async () => {
  const { app } = run
  const day = toIso(app.ctx.now()).slice(0, 'YYYY-MM-DD'.length)
  app.ctx.clock.jump(DAY_MS)
  await run.calm(3)
  const { payload } = await app.http.inject({ method: 'GET', url: `/api/ticks/${day}.csv` })
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-sale-'))
  try {
    writeFileSync(join(folder, `ticks-${day}.csv`), payload)
    const file = join(folder, 'sale.json')
    writeFileSync(file, bundleText(bundle, []))
    const checked = await checkReceiptFile([file, '--log', folder])
    expect(checked, checked.lines.join('\n')).toMatchObject({ exitCode: MATCHES })
    expect(checked.lines.join('\n')).toContain('Sold back')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the tick log still has the prices of a sale after old ticks were packed and deleted', async () => {
  const { app } = run
  app.ctx.clock.jump(5 * DAY_MS)
  await run.calm(3)
  const before = later(app.ctx.now(), MINUTE_MS)
  while ((await packTicks(app.ctx.db, before, 200)) > 0) expect(bundle).toBeDefined()
  while ((await dropTicks(app.ctx.db, before)) !== null) expect(bundle).toBeDefined()
  const first = await app.ctx.db.selectFrom('tick_pack').select('first_time_ms').orderBy('first_seq').executeTakeFirst()
  expect(first).toBeDefined()
  expect(faultsOf(await download(trx))).toEqual([])
  expect(instant(facts.requested_ms)).toBeGreaterThan(0)
})
