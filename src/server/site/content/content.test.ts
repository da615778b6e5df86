import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { RULE_LIMITS } from '#core/markets/terms/terms-limits.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { parseMarkup } from '#core/content/markup.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

interface Entry {
  kind: string
  key: string
  link?: string
  sort?: number
  is_published?: boolean
  published_ms?: number
  texts?: Record<string, { title: string; text: string }>
}
const write = ({ texts = {}, ...entry }: Entry) => {
  const row = { published_ms: app.ctx.now(), updated_ms: app.ctx.now(), ...entry, texts: JSON.stringify(texts) }
  return app.ctx.db
    .insertInto('content_entry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(row))
    .execute()
}
const restart = async () => {
  await app.stop()
  app = await createTestApp(database)
}
const pages = async (locale = 'en') => (await app.call(calls.pages, { headers: { locale } })).body.data
const home = async () => (await app.call(calls.homeContent)).body.data

describe('pages', () => {
  it('ship with a new installation, in order, each with its own texts', async () => {
    const { custom_pages, image_path } = await pages()
    expect(image_path).toBe('/images/pages/')
    expect(custom_pages.map(({ slug }) => slug)).toEqual(['help', 'rules', 'risk', 'privacy', 'terms'])
    expect(custom_pages[0]).toEqual({ name: 'Help', slug: 'help', icon: 'help.svg', content_type: 'page', link: '' })
    for (const { slug, name } of custom_pages) {
      const { body } = await app.call(calls.page, { params: { slug } })
      expect(body.data.page.name).toBe(name)
      expect(parseMarkup(body.data.page.content).length).toBeGreaterThan(1)
    }
  })

  it.each(Object.keys(LANGUAGES))('name the rule of new orders in the language %s', async (code) => {
    const { body } = await app.call(calls.page, { params: { slug: 'rules' }, headers: { locale: code } })
    const [first = ''] = body.data.page.content.split('\n')
    expect(first.match(/\d+/g)).toEqual([String(RULE_LIMITS.max)])
  })

  it.each(['nothing', '\u0000', '%00', "' or 1=1", 'HELP'])('return 404 for the unknown slug %j', async (slug) => {
    const { status, body } = await app.call(calls.page, { params: { slug } })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it("show the operator's texts, in the best available language", async () => {
    await write({
      kind: 'page',
      key: 'help',
      texts: { en: { title: 'Ask us', text: 'Call.' }, de: { title: 'Fragt uns', text: 'Ruft an.' } },
    })
    const said = async (locale: string) =>
      (await app.call(calls.page, { params: { slug: 'help' }, headers: { locale } })).body.data.page
    expect(await said('de')).toEqual({ name: 'Fragt uns', content: 'Ruft an.' })
    expect(await said('en')).toEqual({ name: 'Ask us', content: 'Call.' })
    expect(await said('fr')).toEqual({ name: 'Ask us', content: 'Call.' })
  })

  it('pages that the operator hid or rewrote stay hidden or rewritten after a restart', async () => {
    await write({ kind: 'page', key: 'help', is_published: false })
    await write({ kind: 'page', key: 'risk', texts: { en: { title: 'Mine', text: 'x' } } })
    await restart()
    const { custom_pages } = await pages()
    expect(custom_pages.map(({ slug }) => slug)).not.toContain('help')
    expect(custom_pages.find(({ slug }) => slug === 'risk')?.name).toBe('Mine')
    expect((await app.call(calls.page, { params: { slug: 'help' } })).status).toBe(404)
  })

  it('can be links, and a link that would execute code is shown as empty', async () => {
    const texts = { en: { title: 'Elsewhere', text: '' } }
    await write({ kind: 'page', key: 'out', link: 'https://example.com/', texts })
    await write({ kind: 'page', key: 'bad', link: 'javascript:alert(1)', texts })
    const { custom_pages } = await pages()
    expect(custom_pages.find(({ slug }) => slug === 'out')).toMatchObject({
      content_type: 'link',
      link: 'https://example.com/',
    })
    expect(custom_pages.find(({ slug }) => slug === 'bad')).toMatchObject({ content_type: 'link', link: '' })
    expect((await app.call(calls.page, { params: { slug: 'out' } })).status).toBe(404)
  })
})

describe('posts', () => {
  it('appear newest first, in pages, and not before their publication time', async () => {
    const texts = { en: { title: 'Soon', text: 'x' } }
    await write({ kind: 'post', key: 'newer', published_ms: app.ctx.now() + 1, texts })
    await write({ kind: 'post', key: 'later', published_ms: later(app.ctx.now(), DAY_MS), texts })
    app.ctx.clock.advance(10)
    const { body } = await app.call(calls.posts, { query: { page: 1, per_page: 2 } })
    expect(body.data.posts.map(({ slug }) => slug)).toEqual(['newer', 'how-to-read-a-result'])
    expect(body.meta).toEqual({ page: 1, per_page: 2, total: 3, pages: 2 })
    expect((await app.call(calls.post, { params: { slug: 'later' } })).status).toBe(404)
    app.ctx.clock.advance(DAY_MS)
    expect((await app.call(calls.post, { params: { slug: 'later' } })).body.data.post.title).toBe('Soon')
  })
})

describe('home', () => {
  it('shows three banners, four questions and figures of this installation', async () => {
    const { banners, questions, figures, links } = await home()
    expect(banners.map(({ key }) => key)).toEqual(['receipt', 'odds', 'funds'])
    expect(questions.map(({ key }) => key)).toEqual(['result', 'markets', 'since', 'funds'])
    expect(questions[1]?.text).toContain(`${CATALOGUE.length} instruments`)
    expect(questions[2]?.text).toContain('2026-03-18')
    expect(figures).toEqual({
      markets: CATALOGUE.length,
      operating_since: '2026-03-18',
      proofs_since: '',
      bonus: 6666,
      tasks: 7,
    })
    expect(links).toEqual({ stream: '', chatroom: '', support: '' })
  })

  it("inserts figures into the operator's texts", async () => {
    await write({
      kind: 'question',
      key: 'markets',
      texts: { en: { title: 'How many?', text: '{count}, and {braces}.' } },
    })
    const { questions } = await home()
    expect(questions.find(({ key }) => key === 'markets')?.text).toBe(`${CATALOGUE.length}, and {braces}.`)
  })

  it('the home content has the links from the settings, except links that would execute code', async () => {
    const rows = [
      { key: 'stream_link', value: '"https://stream.example/live"', updated_ms: 1 },
      { key: 'chat_link', value: '"javascript:alert(1)"', updated_ms: 1 },
      { key: 'customer_link', value: '"https://help.example/"', updated_ms: 1 },
    ]
    await app.ctx.db.insertInto('setting').values(rows).execute()
    await restart()
    const { links } = await home()
    expect(links).toEqual({ stream: 'https://stream.example/live', chatroom: '', support: 'https://help.example/' })
  })
})

describe('the operator CLI', () => {
  const run = (...args: string[]) => runCommand({ ...app, dataDir: '/nowhere' }, args, 'ann')
  const said = async (slug: string) => (await app.call(calls.page, { params: { slug } })).body

  it('creates, rewrites and removes a page', async () => {
    expect(await run('pages', 'publish', 'fees', '--title', 'Fees', '--text', '## None')).toEqual({
      exitCode: 0,
      lines: ['fees is published: Fees'],
    })
    await run('pages', 'publish', 'fees', '--title', 'Gebühren', '--text', 'Keine', '--language', 'de', '--place', '0')
    expect((await said('fees')).data.page).toEqual({ name: 'Fees', content: '## None' })
    expect((await pages('de')).custom_pages[0]).toMatchObject({ slug: 'fees', name: 'Gebühren' })
    expect((await run('pages', 'list')).lines.join('\n')).toMatch(/fees +shown +0 .* de en +Fees/)
    expect((await run('pages', 'remove', 'fees')).exitCode).toBe(0)
    expect((await said('fees')).code).toBe('not_found')
    expect((await run('pages', 'remove', 'fees')).exitCode).toBe(1)
  })

  it('hides and rewrites shipped entries, and a restart does not bring them back', async () => {
    await run('questions', 'remove', 'since')
    await run('banners', 'publish', 'odds', '--title', 'Mine', '--link', 'https://example.com/')
    await restart()
    const { questions, banners } = await home()
    expect(questions.map(({ key }) => key)).toEqual(['result', 'markets', 'funds'])
    expect(banners[1]).toEqual({ key: 'odds', icon: 'odds', link: 'https://example.com/', title: 'Mine', text: '' })
    await run('questions', 'publish', 'since', '--title', 'Since when?', '--text', 'Since {since}.')
    expect((await home()).questions[2]).toEqual({ key: 'since', title: 'Since when?', text: 'Since 2026-03-18.' })
  })

  it.each([
    [['Fees Page', '--title', 'x'], 1],
    [['../etc', '--title', 'x'], 1],
    [['fees', '--title', 'x', '--link', 'javascript:alert(1)'], 1],
    [['fees', '--title', ''], 2],
    [['fees'], 2],
    [['fees', '--title', 'x', '--language', 'xx'], 2],
    [['fees', '--title', 'x', '--text', 'y'.repeat(20_001)], 2],
  ] as const)('cannot publish %j', async (args, exitCode) => {
    expect((await run('pages', 'publish', ...args)).exitCode).toBe(exitCode)
    expect((await pages()).custom_pages).toHaveLength(5)
  })

  it('records its changes in the audit log', async () => {
    await run('posts', 'publish', 'news', '--title', 'News', '--text', 'Words')
    await run('posts', 'remove', 'news')
    const traces = await app.ctx.db.selectFrom('admin_action').select(['who', 'what', 'target']).orderBy('id').execute()
    expect(traces).toEqual([
      { who: 'ann', what: 'posts publish', target: 'post/news' },
      { who: 'ann', what: 'posts remove', target: 'post/news' },
    ])
  })
})
