import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
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

type Kind = 'page' | 'post' | 'banner' | 'question'
const NEW = {
  version: 0,
  icon: '',
  link: '',
  place: null,
  is_published: true,
  published_at: null,
  texts: { en: { title: 'Fees', text: '## None' } },
}

async function save(who: StaffSession, kind: Kind, key: string, body: object = {}) {
  const reply = await who.call(staffCalls.staffSaveContent, { params: { kind, key }, body: { ...NEW, ...body } })
  return reply.body.code === undefined ? reply.body.data.version : { code: reply.body.code, ...reply.body }
}
const code = async (saving: ReturnType<typeof save>) => {
  const done = await saving
  return typeof done === 'number' ? done : done.code
}
const look = async (kind: Kind, key: string) =>
  (await writer.call(staffCalls.staffContentEntry, { params: { kind, key } })).body
const list = async (query: Record<string, string>) =>
  (await writer.call(staffCalls.staffContent, { query })).body.data.rows.map(({ key }) => key)
const read = async (slug: string, locale = 'en') =>
  (await app.call(calls.page, { params: { slug }, headers: { locale } })).body
const traces = () =>
  app.ctx.db
    .selectFrom('admin_action')
    .select(['who', 'what', 'target', 'before', 'after'])
    .where('outcome', '=', 'done')
    .where('what', 'like', 'content/%')
    .orderBy('id')
    .execute()

describe('the lists', () => {
  it('return pages and banners in their order and posts newest first, page by page', async () => {
    await save(writer, 'page', 'first', { place: 0 })
    expect(await list({ kind: 'page' })).toEqual(['first', 'help', 'rules', 'risk', 'privacy', 'terms'])
    app.ctx.clock.advance(1_000)
    await save(writer, 'post', 'fresh')
    const one = await writer.call(staffCalls.staffContent, { query: { kind: 'post', limit: 1 } })
    expect(one.body.data.rows.map(({ key }) => key)).toEqual(['fresh'])
    const after = one.body.data.next ?? ''
    expect(await list({ kind: 'post', after })).toEqual(['how-to-read-a-result', 'welcome'])
    const rest = await writer.call(staffCalls.staffContent, { query: { kind: 'page', limit: 2 } })
    expect(await list({ kind: 'page', after: rest.body.data.next ?? '' })).toEqual([
      'rules',
      'risk',
      'privacy',
      'terms',
    ])
  })

  it('find entries by a text in any language, also hidden entries', async () => {
    await save(writer, 'page', 'fees', { texts: { de: { title: 'Gebühren 100%', text: '' } }, is_published: false })
    expect(await list({ kind: 'page', search: 'GEBÜHREN 100%' })).toEqual(['fees'])
    expect(await list({ kind: 'page', search: '%' })).toEqual(['fees'])
    expect(await list({ kind: 'page', state: 'hidden' })).toEqual(['fees'])
    expect(await list({ kind: 'question', search: 'fees' })).toEqual([])
  })
})

describe('an entry', () => {
  it("uses the reader's language if it was written, else English", async () => {
    const texts = { en: { title: 'Fees', text: 'None.' }, de: { title: 'Gebühren', text: 'Keine.' } }
    expect(await save(writer, 'page', 'fees', { texts })).toBe(1)
    expect((await read('fees', 'de')).data.page).toEqual({ name: 'Gebühren', content: 'Keine.' })
    expect((await read('fees', 'ja')).data.page).toEqual({ name: 'Fees', content: 'None.' })
    expect((await look('page', 'fees')).data).toMatchObject({ texts, shipped: {}, languages: 'en de', version: 1 })
  })

  it('shows the shipped texts while no editor has written texts for it', async () => {
    const { data } = await look('page', 'help')
    expect(data).toMatchObject({ title: 'Help', texts: {}, is_shipped: true, languages: '' })
    expect(Object.keys(data.shipped)).toHaveLength(15)
    expect(data.figures.count).toBeGreaterThan(0)
    await save(writer, 'page', 'help', { version: data.version, texts: { en: { title: 'Ask', text: '' } } })
    expect((await read('help')).data.page.name).toBe('Ask')
    await save(writer, 'page', 'help', { version: data.version + 1, texts: {} })
    expect((await read('help')).data.page.name).toBe('Help')
  })

  it('can be hidden and shown again', async () => {
    await save(writer, 'page', 'fees', { is_published: false })
    expect((await read('fees')).code).toBe('not_found')
    await save(writer, 'page', 'fees', { version: 1 })
    expect((await read('fees')).data.page.name).toBe('Fees')
  })

  it('appears as a post once its publication time has passed', async () => {
    await save(writer, 'post', 'soon', { published_at: new Date(app.ctx.now() + 60_000).toISOString() })
    expect((await app.call(calls.post, { params: { slug: 'soon' } })).status).toBe(404)
    app.ctx.clock.advance(60_000)
    expect((await app.call(calls.post, { params: { slug: 'soon' } })).status).toBe(200)
  })

  it('disappears when it is removed: a shipped entry is hidden, any other entry is deleted', async () => {
    await save(writer, 'question', 'mine')
    const remove = (kind: Kind, key: string, version: number) =>
      writer.call(staffCalls.staffRemoveContent, { params: { kind, key }, body: { version } })
    expect((await remove('question', 'mine', 7)).body.code).toBe('changed_meanwhile')
    expect((await remove('question', 'mine', 1)).body.data).toBeNull()
    expect((await remove('question', 'mine', 1)).body.code).toBe('not_found')
    await remove('question', 'since', 1)
    expect((await look('question', 'since')).data).toMatchObject({ is_published: false, version: 2 })
    const { questions } = (await app.call(calls.homeContent)).body.data
    expect(questions.map(({ key }) => key)).toEqual(['result', 'markets', 'funds'])
  })

  it('records each change with its earlier and new state', async () => {
    await save(writer, 'page', 'fees')
    await save(owner, 'page', 'fees', { version: 1, link: '/page/rules' })
    expect(await traces()).toMatchObject([
      { who: 'content', target: 'page/fees', before: null, after: { version: 1, 'text (English)': { title: 'Fees' } } },
      { who: 'owner', before: { version: 1, link: '' }, after: { version: 2, link: '/page/rules' } },
    ])
  })
})

describe('content with concurrent editors', () => {
  it('refuses an outdated version, and names the other editor and the changed fields, per language', async () => {
    await save(writer, 'page', 'fees')
    const german = { ...NEW.texts, de: { title: 'Gebühren', text: '' } }
    await save(owner, 'page', 'fees', { version: 1, texts: german, link: '/page/risk' })
    const late = await save(writer, 'page', 'fees', { version: 1, texts: { en: { title: 'Costs', text: '' } } })
    expect(late).toMatchObject({ code: 'changed_meanwhile' })
    expect(late).toMatchObject({ message: expect.stringMatching(/^owner changed this .*Link.*Text \(Deutsch\)/) })
    expect((await look('page', 'fees')).data).toMatchObject({ texts: german, version: 2 })
  })

  it('accepts one of two concurrent edits', async () => {
    await save(writer, 'banner', 'sale')
    const both = [writer, owner].map((who) => code(save(who, 'banner', 'sale', { version: 1, link: `/${who.name}` })))
    const outcomes = await Promise.all(both)
    expect(outcomes.map(String).toSorted()).toEqual(['2', 'changed_meanwhile'])
  })

  it('accepts one of two concurrent creations at one address', async () => {
    const both = [writer, owner].map((who) => code(save(who, 'page', 'same')))
    const outcomes = await Promise.all(both)
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(1)
    expect(await code(save(owner, 'page', 'same'))).toBe('content_key_taken')
  })
})

const ATTACKS = [
  '<script>alert(1)</script>Fees',
  '<img src=x onerror=alert(1)>Fees',
  '<a href="javascript:alert(1)">Fees</a>',
  '<svg/onload=alert(1)>Fees',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>Fees',
  '<<script>script>alert(1)//<</script>/script>Fees',
]

describe('pasted text', () => {
  it.each(['page', 'post', 'banner', 'question'] as const)('removes all tags from the texts of a %s', async (kind) => {
    const texts = Object.fromEntries(
      ATTACKS.map((attack, place) => [['en', 'de', 'fr', 'it', 'es', 'pt'][place], { title: attack, text: attack }]),
    )
    expect(await save(writer, kind, 'pasted', { texts })).toBe(1)
    const { data } = await look(kind, 'pasted')
    for (const { title, text } of Object.values(data.texts)) {
      expect(`${title} ${text}`).toContain('Fees')
      expect(`${title} ${text}`).not.toMatch(/<[a-z/!]|javascript:|onerror|onload/i)
    }
  })

  it("converts HTML to the site's markup", async () => {
    const text = '<h2>Fees</h2><ul><li>none <a href="/page/rules">see</a></li></ul>'
    await save(writer, 'page', 'fees', { texts: { en: { title: '<b>Fees</b> & more', text } } })
    expect((await read('fees')).data.page).toEqual({
      name: 'Fees & more',
      content: '## Fees\n\n- none [see](/page/rules)',
    })
  })
})

describe('refusals without any change', () => {
  it.each([
    ['Fees Page', {}, 'content_key_invalid'],
    ['../etc', {}, 'content_key_invalid'],
    ['fees', { link: 'javascript:alert(1)' }, 'content_link_unsafe'],
    ['fees', { link: 'JaVaScRiPt:alert(1)' }, 'content_link_unsafe'],
    ['fees', { link: ' data:text/html,x' }, 'content_link_unsafe'],
    ['fees', { link: '//elsewhere.example' }, 'content_link_unsafe'],
    ['fees', { link: '/\\elsewhere.example' }, 'content_link_unsafe'],
    ['fees', { texts: { en: { title: ' ', text: 'words' } } }, 'title_needed'],
    ['fees', { texts: {} }, 'title_needed'],
    ['fees', { texts: { xx: { title: 'x', text: '' } } }, 'language_unknown'],
    ['fees', { texts: { en: { title: 'x'.repeat(121), text: '' } } }, 'bad_request'],
    ['fees', { icon: '../../etc/passwd' }, 'bad_request'],
    ['fees', { icon: 'x"onload=' }, 'bad_request'],
    ['fees', { place: -1 }, 'bad_request'],
    ['fees', { published_at: 'tomorrow' }, 'bad_request'],
    ['fees', { version: 3 }, 'not_found'],
  ])('answer %j with %j by %s', async (key, body, refusal) => {
    const refused = await save(writer, 'page', key, body)
    expect(refused).toMatchObject({ code: refusal })
    expect(await list({ kind: 'page' })).toEqual(['help', 'rules', 'risk', 'privacy', 'terms'])
    expect(await traces()).toEqual([])
  })
})
