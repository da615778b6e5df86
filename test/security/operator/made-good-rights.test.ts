import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { payAmendments } from '#server/proof/made-good/pay-made-good.ts'
import { changeSetting } from '#server/settings/change-setting.ts'
import { listNotices } from '#server/users/notices/notices.queries.ts'
import { noticeText } from '#server/users/notices/notice-text.ts'
import { withoutRules } from '#test/support/bare-rows.ts'
import { useMadeGoodSites } from '#test/support/made-good-sites.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const { begin, voidSite, payments, orders, missedProfits, jobsByHand, readTwice } = useMadeGoodSites(database)
const run = (statement: string) => sql.raw(statement).execute(database.db)
const KEY = 'symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence'

/** Writes rows past the triggers, as a fault of the database itself would. */
const force = (...statements: string[]) =>
  withoutRules(database, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

/** Returns the ids of all orders that have a receipt of an amended result, in hexadecimal digits. */
async function amendedKeys(): Promise<string> {
  const batches = await database.db.selectFrom('receipt_batch').select('keys').where('kind', '=', 'amended').execute()
  return batches.map(({ keys }) => Buffer.from(keys).toString('hex')).join()
}

/**
 * Returns a statement that inserts what a user is owed. By default, the row agrees with the provider's record of the
 * order.
 */
const owing = ({ order = 'o.id', user = 'o.user_id', result = '1', amount = '1' } = {}) =>
  `insert into made_good (${KEY}, order_id, user_id, result, amount, noted_ms, due_ms)
   select c.symbol_id, c.source, c.expires_ms, c.max_tick_age_ms, c.rule, c.evidence, ${order}, ${user}, ${result}, ${amount},
     coalesce(c.closed_ms, c.read_ms), coalesce(c.closed_ms, c.read_ms)
   from record_check c join order_history o on o.expires_ms = c.expires_ms limit 1`

describe('A89: attack: with the rights of the server, rows of payments that no record says', () => {
  it('the database refuses payments for orders that do not exist, or whose result the record of the provider does not contradict', async () => {
    await readTwice()
    const close = `update record_check set closed_ms = read_ms`
    for (const statement of [
      owing({ order: 'gen_random_uuid()' }),
      owing(),
      `${close}; ${owing({ order: 'gen_random_uuid()' })}`,
      `${close}; ${owing({ user: 'gen_random_uuid()' })}`,
      `${close}; ${owing({ amount: '999' })}`,
    ])
      await expect(
        database.db.transaction().execute(async (tx) => {
          for (const one of statement.split('; ')) await sql.raw(one).execute(tx)
        }),
        statement,
      ).rejects.toThrow('not owed by a record that was read')
  })

  it('the database refuses to close the check of a record whose payments are left out', async () => {
    await readTwice()
    await expect(run(`update record_check set closed_ms = read_ms`)).rejects.toThrow('a payment is left out')
  })

  it('the server pays all other users, with receipts, although some rows cannot be handled', async () => {
    const { site, payer } = await readTwice()
    const decided = `select symbol_id, source, expires_ms - 1, max_tick_age_ms, rule, evidence`
    await force(
      `insert into record_check (${KEY}, noted_ms, first_ms, first_reading, read_ms, reading)
       ${decided}, noted_ms, 0, '{', 0, '{' from record_check limit 1`,
      ...['null', '1'].map(
        (paid) => `insert into made_good (${KEY}, order_id, user_id, result, amount, noted_ms, due_ms, paid_ms)
          ${decided}, gen_random_uuid(), gen_random_uuid(), 1, 5, 0, 0, ${paid} from record_check limit 1`,
      ),
    )
    const linesBefore = site.ctx.lines.length
    await payAmendments(payer)
    const missed = await missedProfits(site)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(missed)
    const signed = await amendedKeys()
    for (const id of missed.keys()) expect(signed).toContain(id.replaceAll('-', ''))
    // The server makes the receipts in a later round than the payments, so the test waits for the third error.
    await expect
      .poll(
        () =>
          new Set(
            site.ctx.lines.slice(linesBefore).flatMap(({ level, message }) => (level === 'error' ? [message] : [])),
          ),
      )
      .toEqual(
        new Set([
          'what a record says is owed could not be written down',
          'an order could not be made good',
          'the receipt of a payment could not be made',
        ]),
      )
  })
})

describe('A89: attack: a record without a price, so that nothing can be paid', () => {
  it('the server pays users the stakes of their lost orders, with receipts', async () => {
    const site = await begin()
    await site.placeOrders()
    await site.runUntilSettled()
    const { payer } = await jobsByHand(site)
    await force(
      `insert into record_check (${KEY}, noted_ms, first_ms, first_reading, read_ms, reading)
       select ${KEY}, decided_ms, decided_ms, r, decided_ms, r from decided_price, (values ('{"last":null,"next":null}')) v (r)`,
    )
    await payAmendments(payer)
    const lost = (await orders()).filter(({ result }) => result === 2)
    expect(lost.length).toBeGreaterThan(0)
    const paid = new Map((await payments()).map((row) => [row.ref, row.amount]))
    expect(paid).toEqual(new Map(lost.map((order) => [order.id, order.stake])))
    expect(await amendedKeys()).toContain(lost[0]?.id.replaceAll('-', ''))
  })
})

describe('A89: attack: with the rights of the server, payments without a transfer', () => {
  it('the database refuses a payment without its transfer, a transfer that nobody is owed, and a change of a paid amount', async () => {
    const { site, payer } = await readTwice()
    await payAmendments({ ...payer, shownAbove: money(1n) })
    await expect(run(`update made_good set paid_ms = due_ms`)).rejects.toThrow('the transfer is missing')
    const paying = (ref: string, step: string) => `insert into transfer
      (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
      select user_id, ${ref}, '${step}', 'make_good', 'house:trading', 'cash', 'USDT', amount, coalesce(paid_ms, due_ms)
      from made_good limit 1`
    await expect(run(paying('gen_random_uuid()', 'made_good'))).rejects.toThrow('nothing is owed')
    await expect(run(paying('order_id', 'made_good'))).rejects.toThrow('nothing is owed')
    site.ctx.clock.jump(3 * DAY_MS)
    await payAmendments(payer)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(await missedProfits(site))
    await expect(run(paying('order_id', 'again'))).rejects.toThrow('nothing is owed')
    await expect(run(`update made_good set paid_ms = null`)).rejects.toThrow('what was paid stays paid')
  })
})

describe('A89: attack: with the rights of the server, a record that is not asked', () => {
  it('the database refuses requests for records with a future time, and records that were read without a request', async () => {
    const { readAfter } = await jobsByHand()
    await readAfter(0)
    for (const column of ['asked_ms', 'noted_ms', 'first_ms']) {
      const set = column === 'first_ms' ? `first_reading = '{}', first_ms` : column
      const statement = `update record_check set ${set} = 9000000000000000`
      await expect(run(statement), statement).rejects.toThrow(/in the future|permission denied/)
    }
    const insert = (columns: string, values: string) => `insert into record_check (${KEY}, noted_ms, ${columns})
      select symbol_id, source, expires_ms, max_tick_age_ms, rule, evidence, decided_ms, ${values} from decided_price limit 1`
    await expect(
      run(insert('first_ms, first_reading, read_ms, reading, closed_ms', `1, '{}', 1, '{}', 1`)),
    ).rejects.toThrow('a record is read after it was noted')
    await expect(run(insert('asked_ms', '9000000000000000'))).rejects.toThrow('in the future')
    const read = `update record_check set first_ms = 1, first_reading = '{}', read_ms = 1, reading = '{}'`
    for (const statement of [read, `${read}, closed_ms = 1`])
      await expect(run(statement), statement).rejects.toThrow('a record is read twice')
  })
})

describe('A89: attack: two_people_above lowered by one person to delay payments', () => {
  it('the server pays what is owed without a second approver', async () => {
    const site = await voidSite()
    const { ctx, app } = site
    const actor = { who: 'ada', what: 'settings set', requestId: 'r-1', address: '10.0.0.1' }
    const lowered = await changeSetting(ctx, app.settings, { key: 'two_people_above', value: '0.01', actor })
    expect(lowered.ok && app.settings.current.twoPeopleAbove).toBe(1n)
    const { payer, market, readAfter } = await jobsByHand(site)
    market.record.mood = 'well'
    for (const ms of [0, DAY_MS, DAY_MS]) await readAfter(ms)
    await payAmendments(payer)
    expect(new Map((await payments()).map((row) => [row.ref, row.amount]))).toEqual(await missedProfits(site))
    expect(await orders()).not.toEqual([])
  })
})

describe('A89: attack: a payment without a notice, past the code of the server', () => {
  it('the transaction of the payment notifies each user, also by mail', async () => {
    const { site, payer } = await readTwice()
    await payAmendments(payer)
    const missed = await missedProfits(site)
    const notices = () =>
      database.db.selectFrom('notice').select(['id', 'subject', 'user_id']).where('kind', '=', 'made_good').execute()
    const written = await notices()
    expect(new Set(written.map(({ subject }) => subject))).toEqual(new Set(missed.keys()))
    expect(new Set(written.map((one) => one.user_id))).toEqual(new Set([site.userId]))
    const [one] = await listNotices(database.db, { userId: site.userId }, { after: null, limit: 1 })
    const { title, text } = noticeText(one!, { language: 'en', site: 'Fairwick' })
    const order = (await orders()).find(({ trx }) => text.includes(trx))
    expect(title).toBe('Order paid in addition')
    expect(text).toContain(`$${(Number(missed.get(order?.id ?? '')) / 100).toFixed(2)} · ${order?.trx}`)
    const mailed = await database.db
      .selectFrom('notice_delivery')
      .select('notice_id')
      .where('channel', '=', 'mail')
      .where(
        'notice_id',
        'in',
        written.map(({ id }) => id),
      )
      .execute()
    expect(mailed).toHaveLength(missed.size)
  })
})
