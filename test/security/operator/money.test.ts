import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

const ADDRESSES = [
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  'DE89 3704 0044 0532 0130 00',
  '4111 1111 1111 1111',
]

const CONTENT = {
  version: 0,
  icon: '',
  link: '',
  place: null,
  is_published: true,
  published_at: null,
}

const GATEWAY = {
  kind: 'deposit' as const,
  name: 'Euro account',
  image: 'bank.svg',
  currency: 'eur',
  min_amount: '10',
  max_amount: '1000',
  fixed_charge: '0',
  percent_charge: '0',
  rate: '1.08',
  wallet_address: '',
  form: [],
  is_automatic: false,
  is_offered: true,
  sort: 7,
}

describe('attack: "Send to this address" says another one', () => {
  it.each(LANGUAGE_CODES)('by a text of its own, in %s', async (language) => {
    const key = 'deposit.send_to'
    const { body } = await owner.call(staffCalls.staffSaveText, {
      params: { language, key },
      body: { version: 0, text: `Send to ${ADDRESSES[0]}` },
    })
    expect(body.code).toBe('text_locked')
    // A changed program or an older version may have written the row.
    await database.db
      .insertInto('text_override')
      .values({ language, key, text: `Send to ${ADDRESSES[0]}`, version: 1, updated_ms: 0 })
      .execute()
    await app.stop()
    app = await createTestApp(database)
    expect((await app.call(calls.textOverrides, { params: { language } })).body.data.texts).toEqual({})
    expect((await app.call(calls.proofTexts)).body.data.texts).toEqual([])
  })

  it.each(ADDRESSES)('by words of other places that hold %s', async (address) => {
    const text = `From today on send to ${address}`
    const { body: override } = await owner.call(staffCalls.staffSaveText, {
      params: { language: 'de', key: 'home.headline' },
      body: { version: 0, text },
    })
    expect(override).toMatchObject({ code: 'text_has_address', message: expect.stringContaining(address) })
    for (const kind of ['page', 'post', 'banner'] as const) {
      const { body } = await owner.call(staffCalls.staffSaveContent, {
        params: { kind, key: 'payments' },
        body: { ...CONTENT, texts: { en: { title: 'News', text: 'Hello' }, de: { title: 'Neues', text } } },
      })
      expect([kind, body.code]).toEqual([kind, 'text_has_address'])
    }
    const { body: banner } = await owner.call(staffCalls.staffSaveAnnouncement, {
      params: { id: app.ctx.newId() },
      body: {
        version: 0,
        tone: 'info',
        link: '',
        from: '2026-01-01T00:00:00.000Z',
        until: '2027-01-01T00:00:00.000Z',
        texts: { en: 'Hello', fr: text },
      },
    })
    expect(banner.code).toBe('text_has_address')
    const { body: gateway } = await owner.call(staffCalls.staffCreateGateway, {
      body: { ...GATEWAY, description: `**Note:** ${text}` },
    })
    expect(gateway.code).toBe('text_has_address')
    expect((await app.call(calls.announcements)).body.data.announcements).toEqual([])
  })

  it('changes other words only in public', async () => {
    const params = { language: 'de', key: 'login.title' }
    await owner.call(staffCalls.staffSaveText, { params, body: { version: 0, text: 'Herein' } })
    expect((await app.call(calls.proofTexts)).body.data.texts).toEqual([
      { ...params, ours: 'Anmelden', theirs: 'Herein', since: new Date(app.ctx.now()).toISOString() },
    ])
    expect((await app.call(calls.generalSetting)).body.data.changed_texts).toBe(1)
  })
})
