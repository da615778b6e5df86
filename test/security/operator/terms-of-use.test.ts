import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { openAttackBench } from '#test/security/attack-harness.ts'
import { passTermsNotice } from '#test/support/pass-terms-notice.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: Awaited<ReturnType<typeof openAttackBench>>
let alice: TestUser
beforeEach(async () => {
  bench = await openAttackBench(database)
  alice = await bench.funded(1_000, 'alice')
})
afterEach(() => bench.close())

async function announce(days: number) {
  const staff = await bench.app.staff('content')
  const from = new Date(Date.now() + days * DAY_MS).toISOString()
  const params = { kind: 'page' as const, key: 'terms' }
  const { version } = (await staff.call(staffCalls.staffContentEntry, { params })).body.data
  const body = { draft_version: version, from, needs_consent: true, summary: { en: 'Fees.' } }
  return staff.call(staffCalls.staffPublishTerms, { body })
}

const termsOf = async () => (await bench.app.call(calls.termsOfUse, { token: alice.token })).body.data

it('A160: attack: terms of use that change without notice, by call and with the rights of the server', async () => {
  expect((await announce(13)).body).toMatchObject({ code: 'terms_from_early' })
  expect((await announce(15)).status).toBe(200)
  const text = sql`'{"en":{"title":"T","text":"We keep it all.","summary":""}}'::jsonb`
  const inMonths = sql`${Date.now() + 90 * DAY_MS}::int8`
  for (const statement of [
    sql`update terms_version set from_ms = 0`,
    sql`update terms_version set texts = ${text}`,
    sql`update terms_version set needs_consent = false`,
    sql`delete from terms_version`,
    sql`insert into terms_version (id, texts, from_ms, needs_consent) values (3, ${text}, 0, false)`,
    sql`insert into terms_version (id, texts, from_ms, needs_consent) values (0, ${text}, ${inMonths}, false)`,
    sql`insert into terms_version (id, texts, from_ms, needs_consent) values (4, ${text}, ${inMonths}, false)`,
    sql`insert into terms_version (id, texts, announced_ms, from_ms, needs_consent) values (3, ${text}, 0, ${inMonths}, false)`,
    sql`update terms_told set until_user = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toThrow(/permission denied|terms/)
  }
  const { current, upcoming } = await termsOf()
  expect([current.version, upcoming?.version]).toEqual([1, 2])
})

it('A161: attack: a consent to another text, in another language or of another time than the user gave', async () => {
  const { agreed } = await termsOf()
  const consent = (values: object) =>
    database.db
      .insertInto('consent')
      .values({ user_id: alice.id, version: 2, language: 'de', how: 'terms', sha256: '', ...values })
      .execute()
  await announce(15)
  const german = (await bench.app.call(calls.termsOfUse, { headers: { 'accept-language': 'de' } })).body.data.upcoming
  const { sha256 = '' } = german ?? {}
  expect(sha256).toBe(
    createHash('sha256')
      .update(german?.text ?? '')
      .digest('hex'),
  )
  await expect(consent({ sha256: 'f'.repeat(64) })).rejects.toThrow('hash')
  await expect(consent({ sha256, language: 'en' })).rejects.toThrow('hash')
  await expect(consent({ sha256, language: 'xx' })).rejects.toThrow('hash')
  await expect(consent({ sha256, at_ms: 0 })).rejects.toThrow('permission denied')
  await passTermsNotice(database)
  await expect(consent({ version: 1, sha256: agreed?.sha256 })).rejects.toThrow('no longer in force')
  for (const statement of [
    sql`update consent set at_ms = 0`,
    sql`update consent set version = 2`,
    sql`delete from consent`,
    sql`update app_user set terms_version = 2`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toThrow('permission denied')
  }
  expect((await termsOf()).agreed).toEqual(agreed)
})

it('A162: attack: orders and deposits without the required consent; a repeated order still gets its reply', async () => {
  await bench.priced(9_400_000)
  const client = await bench.connect()
  const order = async (clientOrderId: string) => {
    const before = client.answers('newTrade').length
    const data = { type: 'buy', tradeSettingId: 1, amount: 100, symbol: 'BTC', clientOrderId }
    client.send({ action: 'newTrade', token: alice.token, data })
    await bench.until(() => client.answers('newTrade').length > before)
    return client.answers('newTrade').at(-1)
  }
  expect(await order('first')).toMatchObject({ status: 'success' })
  await announce(15)
  await passTermsNotice(database)
  // 6 s pass, because a server trusts a session that it knows for 5 s.
  bench.app.ctx.clock.jump(6_000)
  await bench.priced(9_400_100)
  expect(await order('second')).toMatchObject({ status: 'error', code: 'terms_needed' })
  expect(await order('first')).toMatchObject({ status: 'success' })
  const body = { amount: 100, method_id: 1 }
  const deposit = () => bench.app.call(calls.saveDeposit, { token: alice.token, body })
  expect((await deposit()).body).toMatchObject({ code: 'terms_needed' })
  const { current } = await termsOf()
  const agreement = { version: current.version, sha256: current.sha256 }
  await bench.app.call(calls.agreeToTerms, { token: alice.token, body: agreement })
  // This takes effect immediately, because the server forgets the user's cached session.
  expect(await order('third')).toMatchObject({ status: 'success' })
  expect((await deposit()).status).toBe(200)
})
