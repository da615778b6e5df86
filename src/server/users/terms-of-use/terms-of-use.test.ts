import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { DEMO_FUNDS_GATEWAY } from '#server/payments/gateways/automatic-gateways.ts'
import { tellTerms } from '#server/users/terms-of-use/terms-of-use.queries.ts'
import { passTermsNotice } from '#test/support/pass-terms-notice.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { createTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
})
afterEach(() => app.stop())

const terms = async (token?: string, headers = {}) =>
  (await app.call(calls.termsOfUse, { ...(token !== undefined && { token }), headers })).body.data
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Announces a version through the back office. */
async function announce(
  body: { draft_version?: number; from?: string; needs_consent?: boolean; summary?: Record<string, string> } = {},
) {
  const staff = await app.staff('content')
  const usual = { draft_version: await draftVersion(), from: inDays(15), needs_consent: true }
  const summary = { en: 'Fees change.', de: 'Gebühren.' }
  return staff.call(staffCalls.staffPublishTerms, { body: { ...usual, summary, ...body } })
}

async function draftVersion(): Promise<number> {
  const params = { kind: 'page' as const, key: 'terms' }
  return (await (await app.staff('content')).call(staffCalls.staffContentEntry, { params })).body.data.version
}

async function passNotice() {
  await passTermsNotice(database)
  app.ctx.clock.jump(6_000)
}

const deposit = () =>
  app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: DEMO_FUNDS_GATEWAY } })

/** Rewrites the draft of the terms in English. */
async function rewrite(text: string) {
  const staff = await app.staff('content')
  const params = { kind: 'page' as const, key: 'terms' }
  const { version, icon, link, place, is_published } = (await staff.call(staffCalls.staffContentEntry, { params })).body
    .data
  const body = { version, icon, link, place, is_published, published_at: null, texts: { en: { title: 'Terms', text } } }
  expect((await staff.call(staffCalls.staffSaveContent, { params, body })).status).toBe(200)
}

describe('the server with versions of the terms of use', () => {
  it('shows the first version to visitors in their language, with the hash of its text', async () => {
    const german = await terms(undefined, { 'accept-language': 'de' })
    expect(german.current).toMatchObject({ version: 1, needs_consent: false, summary: '' })
    expect(german.current.sha256).toBe(createHash('sha256').update(german.current.text).digest('hex'))
    expect(german.current.text).not.toBe((await terms()).current.text)
    expect([german.upcoming, german.agreed, german.needed]).toEqual([null, null, false])
  })

  it('keeps the text in force while staff rewrite the page, until the day of the announced version', async () => {
    const before = (await terms()).current.text
    await rewrite('Pay **more**.')
    const page = async () => (await app.call(calls.page, { params: { slug: 'terms' } })).body.data.page.content
    expect(await page()).toBe(before)
    expect((await announce()).body.data).toEqual({ version: 2 })
    const announced = await terms()
    expect(announced.current.text).toBe(before)
    expect(announced.upcoming).toMatchObject({ version: 2, text: 'Pay **more**.', summary: 'Fees change.' })
    await passNotice()
    expect(await page()).toBe('Pay **more**.')
    expect((await terms()).versions.map(({ version }) => version)).toEqual([2, 1])
    const old = await app.call(calls.termsOfUseVersion, { params: { version: '1' } })
    expect(old.body.data.text).toBe(before)
    expect((await app.call(calls.termsOfUseVersion, { params: { version: '9' } })).status).toBe(404)
  })

  it('refuses to announce a text that changed since the announcer read it', async () => {
    const read = await draftVersion()
    await rewrite('Pay **more**.')
    expect((await announce({ draft_version: read })).body.code).toBe('changed_meanwhile')
    expect((await terms()).versions).toHaveLength(1)
  })

  it('refuses a version with less than 14 days of notice, or before the last announced one', async () => {
    expect((await announce({ from: inDays(13.9) })).body).toMatchObject({ code: 'terms_from_early' })
    expect((await announce({ from: inDays(40) })).status).toBe(200)
    expect((await announce({ from: inDays(30) })).body).toMatchObject({ code: 'terms_from_early' })
    expect(
      (await announce({ summary: { en: 'Send it to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' } })).body,
    ).toMatchObject({ code: 'text_has_address' })
    expect((await announce({ summary: { de: 'Nur deutsch' } })).status).toBe(422)
    expect((await terms()).upcoming?.version).toBe(2)
  })
})

describe('consent', () => {
  it('stores the version, the language and the hash of the text at the sign-up', async () => {
    const headers = { 'accept-language': 'fr' }
    const { token } = (await app.call(calls.register, { body: form('carol', {}), headers })).body.data
    const { agreed, current } = await terms(token, headers)
    expect(agreed).toMatchObject({ version: 1, language: 'fr', sha256: current.sha256 })
  })

  it('refuses a sign-up with a version that is not in force', async () => {
    for (const version of [0, 2]) {
      const { status, body } = await app.call(calls.register, { body: form('dave', { terms_version: version }) })
      expect([status, body]).toMatchObject([409, { code: 'terms_changed' }])
    }
    expect((await app.call(calls.register, { body: form('dave', { terms_version: 1 }) })).status).toBe(200)
  })

  it('deposits are refused from the day of a version that needs consent, until the user agrees', async () => {
    await announce()
    expect((await deposit()).status).toBe(200)
    await passNotice()
    expect((await deposit()).body).toMatchObject({ code: 'terms_needed' })
    const { needed, current } = await terms(user.token)
    expect(needed).toBe(true)
    const agree = (body: { version: number; sha256: string }) =>
      app.call(calls.agreeToTerms, { token: user.token, body })
    for (const body of [
      { version: 1, sha256: current.sha256 },
      { version: 2, sha256: 'f'.repeat(64) },
      { version: 3, sha256: current.sha256 },
    ]) {
      const { status, body: refusal } = await agree(body)
      expect([status, refusal]).toMatchObject([409, { code: 'terms_changed' }])
    }
    const done = await agree({ version: 2, sha256: current.sha256 })
    expect(done.body.data).toMatchObject({ needed: false, agreed: { version: 2, sha256: current.sha256 } })
    expect((await deposit()).status).toBe(200)
    // Agreeing again keeps the first consent.
    const again = await agree({ version: 2, sha256: current.sha256 })
    expect(again.body.data.agreed).toEqual(done.body.data.agreed)
  })

  it('a missing consent does not block the statement, limits, withdrawals or notices', async () => {
    await deposit()
    await app.setPin(user.token, '042713')
    await announce()
    await passNotice()
    const { user: own } = (await app.call(calls.profile, { token: user.token })).body.data
    expect(own.terms_needed).toBe(true)
    for (const call of [calls.statement, calls.limits, calls.withdrawals, calls.withdrawMethods, calls.notices]) {
      const query = call === calls.statement ? { from: '2026-03-01', to: '2026-03-19', zone: 'UTC' } : {}
      expect((await app.call(call as typeof calls.limits, { token: user.token, query })).status).toBe(200)
    }
    const limit = { changes: [{ key: 'loss_day' as const, value: 50 }] }
    expect((await app.call(calls.changeLimits, { token: user.token, body: limit })).status).toBe(200)
  })

  it('no consent is needed for a version that needs none, and users can agree before the day of a version', async () => {
    await announce({ needs_consent: false })
    await passNotice()
    expect((await deposit()).status).toBe(200)
    await announce()
    const { upcoming } = await terms(user.token)
    const body = { version: 3, sha256: upcoming!.sha256 }
    expect((await app.call(calls.agreeToTerms, { token: user.token, body })).status).toBe(200)
    await passNotice()
    expect((await terms(user.token)).needed).toBe(false)
    expect((await deposit()).status).toBe(200)
  })

  it('stores the language of the text that was shown, even when the request names another language', async () => {
    await announce()
    const german = await terms(user.token, { 'accept-language': 'de' })
    const { sha256 } = german.upcoming!
    const agreed = await app.call(calls.agreeToTerms, {
      token: user.token,
      body: { version: 2, sha256 },
      headers: { 'accept-language': 'fr' },
    })
    expect(agreed.body.data.agreed).toMatchObject({ language: 'de', sha256 })
  })
})

describe('the announcement', () => {
  it('reaches each user once, by notice and mail, in the language of the user, and later users too', async () => {
    await database.db.updateTable('app_user').set({ language: 'de' }).where('id', '=', user.id).execute()
    await announce()
    const mails: string[] = []
    const messenger = {
      usesOutbox: false,
      send: (letter: { to: string; text: string }) => {
        if (letter.to.startsWith('alice')) mails.push(letter.text)
        return Promise.resolve('mail' as const)
      },
    }
    const tell = async () => {
      while ((await tellTerms(app.ctx.db, 2)) > 0);
      await sendDueNotices(app, messenger)
    }
    await Promise.all([tell(), tell(), tell()])
    await tell()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('Gebühren.')
    const late = await app.verifiedUser('bob')
    await tell()
    for (const { token } of [user, late]) {
      const { notices } = (await app.call(calls.notices, { token })).body.data
      const announced = notices.filter(({ kind }) => kind === 'terms_announced')
      expect(announced).toHaveLength(1)
      expect(announced[0]?.link).toBe('/terms')
    }
  })
})

describe('age', () => {
  it('a sign-up stores the minimum age of the country, which the user declares to have reached, and needs no declaration in a demo', async () => {
    await database.db
      .insertInto('setting')
      .values({ key: 'minimum_ages', value: JSON.stringify(['TH 20']), updated_ms: app.ctx.now() })
      .execute()
    await app.settings.reload()
    await app.call(calls.register, { body: form('erin', { age: true, country_code: 'TH', mobile: '0812345678' }) })
    await app.call(calls.register, { body: form('frank', {}) })
    const rows = await database.db
      .selectFrom('app_user')
      .select(['username', 'age_minimum', 'age_declared_ms'])
      .where('username', 'in', ['erin', 'frank'])
      .orderBy('username')
      .execute()
    expect(rows).toEqual([
      { username: 'erin', age_minimum: 20, age_declared_ms: BigInt(app.ctx.now()) },
      { username: 'frank', age_minimum: null, age_declared_ms: null },
    ])
  })
})

function form(username: string, more: object) {
  return {
    username,
    mobile: '2025550123',
    country_code: 'US',
    password: TEST_PASSWORD,
    password_confirmation: TEST_PASSWORD,
    agree: true,
    ...more,
  }
}
