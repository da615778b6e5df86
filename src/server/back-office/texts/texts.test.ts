import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import english from '#messages/en.json' with { type: 'json' }
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let writer: StaffSession
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  writer = await app.staff('content')
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

async function save(key: string, text: string, { language = 'en', version = 0, who = writer } = {}) {
  const { body } = await who.call(staffCalls.staffSaveText, { params: { language, key }, body: { version, text } })
  return body.code ?? body.data.version
}
async function reset(key: string, version: number, language = 'en') {
  const { body } = await writer.call(staffCalls.staffResetText, { params: { language, key }, body: { version } })
  return body.code ?? body.data.version
}
const rows = async (query: Record<string, string>) => (await writer.call(staffCalls.staffTexts, { query })).body.data
const publishedTexts = async (language: string) =>
  (await app.call(calls.textOverrides, { params: { language } })).body.data.texts
const versions = async () => (await app.call(calls.generalSetting)).body.data.text_versions

describe('the list of texts', () => {
  it('finds texts by key, by English text and by current text', async () => {
    expect((await rows({ search: 'login.title' })).rows).toMatchObject([
      { key: 'login.title', english: english.login.title, shipped: english.login.title, own: null, version: 0 },
    ])
    expect((await rows({ language: 'de', search: 'anmelden' })).rows.length).toBeGreaterThan(0)
    await save('login.title', 'Come in, friend')
    expect((await rows({ search: 'come in, FRIEND' })).rows.map(({ key }) => key)).toEqual(['login.title'])
    expect((await rows({ only: 'changed' })).rows).toMatchObject([{ key: 'login.title', own: 'Come in, friend' }])
    expect((await rows({ only: 'changed', language: 'de' })).rows).toEqual([])
    expect((await rows({ language: 'xx' })).rows).toEqual([])
  })

  it('returns all texts in pages', async () => {
    const keys: string[] = []
    let after = ''
    do {
      const page = await rows({ language: 'ar', limit: '100', ...(after !== '' && { after }) })
      keys.push(...page.rows.map(({ key }) => key))
      after = page.next ?? ''
    } while (after !== '')
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toContain(`${pluralStem()}_few`)
  })
})

describe('a text', () => {
  it('can be overridden and reset, and browsers receive the override', async () => {
    expect(await versions()).toBeUndefined()
    expect(await publishedTexts('en')).toEqual({})
    expect(await save('login.title', 'Welcome')).toBe(1)
    expect(await publishedTexts('en')).toEqual({ login: { title: 'Welcome' } })
    expect(await publishedTexts('de'), 'German has its own').toEqual({})
    const first = await versions()
    expect(first).toEqual({ en: expect.stringMatching(/^\w{16}$/) })
    await save('login.title', 'Hello', { version: 1 })
    expect(await versions()).not.toEqual(first)
    expect(await reset('login.title', 2)).toBe(3)
    expect(await versions()).toBeUndefined()
    expect(await publishedTexts('en')).toEqual({})
  })

  it("appears in the server's messages, also after a restart", async () => {
    const wrong = { body: { username: 'nobody', password: 'x' } }
    await save('refusal.credentials_wrong', 'No, that was wrong.')
    expect((await app.call(calls.login, wrong)).body.message).toBe('No, that was wrong.')
    await app.stop()
    app = await createTestApp(database)
    expect((await app.call(calls.login, wrong)).body.message).toBe('No, that was wrong.')
    const german = await app.call(calls.login, { ...wrong, headers: { locale: 'de' } })
    expect(german.body.message).not.toContain('wrong')
  })

  it('with plural forms is published with all its forms when one form is overridden', async () => {
    const stem = pluralStem()
    const [section = '', name = ''] = stem.split('.')
    const { rows: found } = await rows({ language: 'de', search: `${stem}_other` })
    await save(`${stem}_other`, `${found[0]?.shipped} !`, { language: 'de' })
    expect(Object.keys((await publishedTexts('de'))[section] ?? {}).toSorted()).toEqual([
      `${name}_one`,
      `${name}_other`,
    ])
  })

  it('a text is stored without HTML tags when an editor pastes HTML', async () => {
    await save('login.title', '<script>alert(1)</script><b>Wel</b>come')
    await save('content.help_text', '<h2>Help</h2><img src=x onerror=alert(1)>Write to us.')
    expect(await publishedTexts('en')).toEqual({
      login: { title: 'Welcome' },
      content: { help_text: '## Help\n\nWrite to us.' },
    })
  })

  it('a text is refused when one of its placeholders is missing', async () => {
    const key = 'refusal.text_too_long'
    const { rows: found } = await rows({ search: key })
    expect(found[0]?.places).not.toBe('')
    const { body } = await writer.call(staffCalls.staffSaveText, {
      params: { language: 'en', key },
      body: { version: 0, text: 'Too little.' },
    })
    expect(body).toMatchObject({ code: 'text_places', errors: { text: [expect.stringContaining('{')] } })
  })

  it.each([
    ['login.title', ' ', 'text_empty'],
    ['login.title', 'Hello {name}', 'text_places'],
    ['trade.payout_on_stake', 'Payout', 'text_locked'],
    ['refusal.below_minimum', 'x', 'text_locked'],
    ['login.title', 'Pay to DE89 3704 0044 0532 0130 00', 'text_has_address'],
    ['login.title_one', 'x', 'not_found'],
    ['nothing.here', 'x', 'not_found'],
    ['__proto__.x', 'x', 'not_found'],
    ['login.title', 'x'.repeat(2_001), 'bad_request'],
  ])('%s as %j: %s', async (key, text, refusal) => {
    expect(await save(key, text)).toBe(refusal)
    expect(await versions()).toBeUndefined()
  })

  it('refuses an outdated edit, and the audit log records both edits', async () => {
    await save('login.title', 'Mine')
    expect(await save('login.title', 'Theirs', { version: 1, who: owner })).toBe(2)
    expect(await save('login.title', 'Late', { version: 1 })).toBe('changed_meanwhile')
    expect(await reset('login.title', 1)).toBe('changed_meanwhile')
    const raced = await Promise.all([
      save('login.title', 'A', { version: 2 }),
      save('login.title', 'B', { version: 2, who: owner }),
    ])
    expect(raced.filter((outcome) => outcome === 3)).toHaveLength(1)
    const last = await app.ctx.db
      .selectFrom('admin_action')
      .select(['who', 'before', 'after'])
      .where('target', '=', 'text/en/login.title')
      .orderBy('id')
      .execute()
    expect(last[1]).toMatchObject({ who: 'owner', before: { text: 'Mine' }, after: { text: 'Theirs', version: 2 } })
  })

  it('a text is sent to a browser again only after it has changed', async () => {
    await save('login.title', 'Welcome')
    const first = await app.inject({ url: '/api/user/texts/en' })
    const etag = String(first.headers['etag'])
    expect(first.headers['cache-control']).toBe('no-cache')
    expect((await app.inject({ url: '/api/user/texts/en', headers: { 'if-none-match': etag } })).status).toBe(304)
    await save('login.title', 'Hello', { version: 1 })
    expect((await app.inject({ url: '/api/user/texts/en', headers: { 'if-none-match': etag } })).status).toBe(200)
    expect((await app.inject({ url: '/api/user/texts/xx' })).status).toBe(404)
  })
})

describe('the languages', () => {
  const languages = async () => (await writer.call(staffCalls.staffLanguages)).body.data.languages
  const offered = async () => (await app.call(calls.generalSetting)).body.data.languages
  const offer = async (codes: string[], seen: string[], who = writer) =>
    (await who.call(staffCalls.staffOfferLanguages, { body: { offered: codes, seen } })).body.code ?? 'done'

  it('include all languages by default, and then only the chosen languages', async () => {
    const all = await offered()
    expect(all).toHaveLength(15)
    expect((await languages()).find(({ code }) => code === 'en')).toMatchObject({ is_default: true, changed: 0 })
    expect(await offer(['de', 'en'], all)).toBe('done')
    expect(await offered()).toEqual(['en', 'de'])
    const french = await app.call(calls.page, { params: { slug: 'none' }, headers: { locale: 'fr' } })
    const plain = await app.call(calls.page, { params: { slug: 'none' } })
    expect(french.body.message, 'what is not offered is not spoken').toBe(plain.body.message)
  })

  it("must include the site's default language, and of two concurrent edits one is refused", async () => {
    const all = await offered()
    expect(await offer(['de'], all)).toBe('own_language_needed')
    expect(await offer(['en', 'xx'], all)).toBe('language_unknown')
    const both = await Promise.all([offer(['en', 'de'], all), offer(['en', 'fr'], all, owner)])
    expect(both.toSorted()).toEqual(['changed_meanwhile', 'done'])
  })
})

/** Returns a plural key of the app, as `section.name`. */
function pluralStem(): string {
  for (const [section, texts] of Object.entries(english)) {
    const name = Object.keys(texts).find((key) => key.endsWith('_other'))
    if (name !== undefined) return `${section}.${name.slice(0, -'_other'.length)}`
  }
  throw new Error('English has no plural')
}
