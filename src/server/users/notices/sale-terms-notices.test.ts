import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { instant, minuteText, SECOND_MS } from '#core/time/instant.ts'
import { listNotices, tellSaleTerms } from '#server/users/notices/notices.queries.ts'
import { noticeText } from '#server/users/notices/notice-text.ts'
import { SaleRun } from '#test/support/sale-run.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import type { TestApp, TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let run: SaleRun
let app: TestApp
let markets: StaffSession
beforeEach(async () => {
  run = await SaleRun.start(database)
  app = run.app
  markets = await app.staff('markets')
  await run.report()
})
afterEach(() => app.stop())

const announce = async (value: string, what: 'sale' | 'sale_pause' = 'sale') => {
  const { newest_n: seen } = (await markets.call(staffCalls.staffTermsState)).body.data
  const body = { what, of: 'BTC', value, applies_at: null, seen_n: seen }
  const reply = await markets.call(staffCalls.staffAnnounceTerms, { body })
  expect(reply.status).toBe(200)
  return reply.body.data.applies_at
}
/** Three servers write the notices at the same time, each one user per call. */
const tell = async () => {
  const server = async () => {
    while ((await tellSaleTerms(app.ctx.db, 1)) === 1);
  }
  for (let round = 0; round < 3; round += 1) await Promise.all([server(), server(), server()])
}
const inbox = async ({ token }: TestUser = run.alice) =>
  (await app.call(calls.notices, { token })).body.data.notices.filter(({ kind }) => kind === 'payout_change')
const mails = async () =>
  (await database.db.selectFrom('notice_delivery').select('user_id').where('channel', '=', 'mail').execute()).filter(
    ({ user_id: id }) => id === run.alice.id,
  ).length

describe('a notice of changed terms of sale', () => {
  it('tells every user once when a new fee for selling back applies and how high it is, and later that selling back ends', async () => {
    const bob = await app.verifiedUser('bob')
    const from = instant(Date.parse(await announce('m1c90f450')))
    await tell()
    for (const user of [run.alice, bob]) {
      const [only, ...others] = await inbox(user)
      expect(others).toEqual([])
      expect(only).toMatchObject({ title: 'Selling back changes', link: '/changes' })
      expect(only?.text).toBe(`BTC\nFrom ${minuteText(from)}, selling back costs 4.5% of the stake.`)
    }
    await announce('off')
    await tell()
    expect((await inbox(bob)).map(({ text }) => text.includes('no longer'))).toEqual([true, false])
  })

  it('a notice of changed terms of sale is not written for terms that change nothing, for pauses of selling back, or for bots', async () => {
    await announce('off')
    await announce('600000', 'sale_pause')
    await tell()
    expect(await inbox()).toEqual([])
    await database.asOwner((owner) => sql`update app_user set is_bot = true where id = ${run.alice.id}`.execute(owner))
    await announce('m1c90f400')
    await tell()
    expect(await inbox()).toEqual([])
  })

  it('a notice of changed terms of sale is mailed to a user who chose mail, but is only in the inbox during a break of this user', async () => {
    await announce('m1c90f400')
    await tell()
    const before = await mails()
    const body = { topic: 'payouts' as const, mail: true }
    await app.call(calls.chooseNoticeMail, { token: run.alice.token, body })
    await announce('m1c90f450')
    await tell()
    expect(await mails()).toBe(before + 1)
    await app.call(calls.takeTimeOut, { token: run.alice.token, body: { days: 1 } })
    const inBreak = await mails()
    await announce('off')
    await tell()
    expect(await mails()).toBe(inBreak)
    expect(await inbox()).toHaveLength(3)
  })

  it('a notice of changed terms of sale is written by the periodic job of the server, and names the fee in every language', async () => {
    await announce('m1c90f450')
    while ((await inbox()).length === 0) app.ctx.clock.advance(31 * SECOND_MS)
    const [notice] = await listNotices(app.ctx.db, { userId: run.alice.id }, { after: null, limit: 1 })
    for (const language of LANGUAGE_CODES)
      expect(noticeText(notice!, { language, site: 'Fairwick' }).text, language).toMatch(/[4٤][.,٫][5٥]/)
  })
})
