import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SOLD } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { decideSales, decideSalesInRounds } from '#server/trading/sales/decide-sales.ts'
import { BASE, faultsOf, SaleRun } from '#test/support/sale-run.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let run: SaleRun
beforeEach(async () => {
  run = await SaleRun.start(database)
})
afterEach(() => run.app.stop())

const expiryOf = async (id: string) =>
  (await database.db.selectFrom('open_order').select('expires_ms').where('id', '=', id).executeTakeFirstOrThrow())
    .expires_ms

it('a request 30 s before the expiry is taken, and one a millisecond later is refused', async () => {
  const first = await run.orderForSale()
  const second = await run.place()
  for (const [id, leftMs, replies] of [
    [first, 30_000, [200, undefined]],
    [second, 29_999, [422, 'sale_not_now']],
  ] as const) {
    const at = Number(await expiryOf(id)) - leftMs
    while (run.app.ctx.now() < at - 4_100) await run.calm(1)
    run.app.ctx.clock.jump(at - 100 - run.app.ctx.now())
    await run.speak(BASE)
    expect(run.app.ctx.now()).toBe(at)
    const { status, body } = await run.sell(id, { least: 1, clientSaleId: id })
    expect([status, body.code]).toEqual(replies)
  }
})

it('each of 200 orders that are sold, sold twice or expire, on several servers and across a restart, has exactly one outcome', async () => {
  await run.warmUp()
  await run.offerSales()
  await run.calm(1)
  const users: TestUser[] = []
  for (const name of ['bob', 'carol', 'dave', 'erin']) {
    const user = await run.app.verifiedUser(name)
    await run.deposit(user, 10_000)
    users.push(user)
  }
  const ids: string[] = []
  const owner = new Map<string, TestUser>()
  for (let at = 0; at < 200; at += 1) {
    const user = users[at % users.length]
    const id = await run.place(user)
    ids.push(id)
    if (user) owner.set(id, user)
  }
  await run.calm(4)
  const sellTwice = (id: string, at: number) =>
    Promise.all(
      ['a', at % 3 === 0 ? 'b' : 'a'].map((clientSaleId) =>
        run.sell(id, { least: 1, clientSaleId }, owner.get(id)?.token),
      ),
    )
  /** Two servers decide while a third one settles. */
  const race = async () => {
    const everything = { ctx: run.app.ctx, catalogue: run.app.catalogue, owns: () => true }
    await Promise.all([decideSales(everything), run.app.engine.settleDue(), decideSales(everything)])
  }

  await Promise.all(ids.slice(0, 80).map(sellTwice))
  run.app.ctx.clock.advance(SECOND_MS + 1)
  await run.speak(BASE + 3_000)
  await race()

  // The server stops after these requests, and the next server decides them.
  await run.calm(2)
  await Promise.all(ids.slice(80, 120).map(sellTwice))
  await run.restart(5 * SECOND_MS)
  await run.speak(BASE)
  await race()

  // These sales are requested shortly before the last moment, and decided only after the expiry.
  const expiry = Number(await expiryOf(ids[199] ?? ''))
  while (run.app.ctx.now() < expiry - 35_100) await run.calm(1)
  run.app.ctx.clock.jump(expiry - 31_000 - run.app.ctx.now())
  await Promise.all(ids.slice(120, 170).map(sellTwice))
  run.app.ctx.clock.advance(SECOND_MS + 1)
  await run.speak(BASE + 1_000)
  run.app.ctx.clock.jump(MINUTE_MS)
  await run.speak(BASE - 1_000)
  await race()
  await run.calm(3)
  await vi.waitUntil(async () => {
    await race()
    return (await database.db.selectFrom('open_order').select('id').execute()).length === 0
  })

  const closed = await database.db.selectFrom('order_history').select(['id', 'result']).execute()
  expect(closed).toHaveLength(200)
  const sold = new Set(closed.filter(({ result }) => result === SOLD).map(({ id }) => id))
  expect(ids.slice(0, 120).filter((id) => !sold.has(id))).toEqual([])
  expect(ids.slice(170).filter((id) => sold.has(id))).toEqual([])
  expect(await checkLedger(database.db)).toMatchObject({ clean: true, openOrders: 0 })
  for (const id of ids.filter((_, at) => at % 10 === 0)) {
    const bundle = await run.bundleOf(id, owner.get(id)?.token)
    expect([faultsOf(bundle), bundle.sale === null || bundle.sale === undefined]).toEqual([[], !sold.has(id)])
  }
})

it('the check detects any changed character in the receipts of a sale', async () => {
  const id = await run.orderForSale()
  await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
  run.app.ctx.clock.advance(SECOND_MS + 1)
  await run.speak(BASE + 3_000)
  run.app.ctx.clock.advance(400)
  await run.speak(BASE - 3_000)
  await run.decided(id)
  const bundle = await run.bundleOf(id)
  const { sale } = bundle
  assert(sale, 'the order was sold')
  expect(faultsOf(bundle)).toEqual([])
  const part = fc.constantFrom('facts' as const, 'owner' as const, 'sale_owner' as const, 'signature' as const)
  fc.assert(
    fc.property(part, fc.nat(), fc.integer({ min: 32, max: 126 }), (name, place, code) => {
      const text = sale[name] ?? ''
      const index = place % text.length
      const letter = String.fromCharCode(code)
      fc.pre(text[index] !== letter)
      const changed = { ...sale, [name]: text.slice(0, index) + letter + text.slice(index + 1) }
      expect(faultsOf({ ...bundle, sale: changed })).not.toEqual([])
    }),
    { numRuns: 150 },
  )
})

it('a sale whose statement was committed but reported as failed is announced in the next round', async () => {
  const { app } = run
  const id = await run.orderForSale()
  await run.sell(id, { least: 1, clientSaleId: 'sale-1' })
  app.ctx.clock.advance(SECOND_MS + 1)
  await run.speak(BASE + 3_000)
  const announced: string[] = []
  const publish: typeof app.ctx.publish = (event) => {
    if (event.kind === 'order-settled') announced.push(event.order.orderId)
  }
  const ctx = { ...app.ctx, now: () => app.ctx.now(), db: losesFirstSale(database.db), publish }
  const round = decideSalesInRounds({ ctx, catalogue: app.catalogue, owns: () => true })
  await round()
  expect([announced, (await run.tradeOf(id)).result]).toEqual([[], 5])
  await round()
  await round()
  expect(announced).toEqual([id])
})

/** Returns a database whose connection is lost after the statement of the first sale. */
function losesFirstSale(db: typeof database.db): typeof database.db {
  const sales = new WeakSet<object>()
  let isLost = false
  return db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (node.kind === 'RawNode' && node.sqlFragments.some((text) => text.includes('order_sale_fee')))
        sales.add(queryId)
      return node
    },
    transformResult: ({ result, queryId }) => {
      if (isLost || !sales.has(queryId)) return Promise.resolve(result)
      isLost = true
      return Promise.reject(new Error('connection lost'))
    },
  })
}
