import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { readTermsText } from '#core/markets/terms/terms-entry.ts'
import { toHex } from '#core/proof/bytes.ts'
import { termsHash } from '#server/market-data/catalogue/terms.queries.ts'
import { entriesOfKind } from '#server/register/register.queries.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
})
afterEach(() => app.stop())

const read = async (query: Record<string, number> = {}) => (await app.call(calls.proofTerms, { query })).body.data

it('lists all entries in pages, newest first, each with the hash of the previous entry', async () => {
  const texts: string[] = []
  for (let next: number | null | undefined; next !== null; ) {
    const page = await read({ limit: 30, ...(next !== undefined && { before: next }) })
    for (const { text, hash } of page.entries) expect(termsHash(text)).toBe(hash)
    texts.push(...page.entries.map(({ text }) => text))
    next = page.next
  }
  const entries = texts.map((text) => readTermsText(text))
  expect(entries.map((entry) => entry?.n)).toEqual(texts.map((_, at) => texts.length - at))
  for (const [at, text] of texts.slice(1).entries()) expect(entries[at]?.previous).toBe(termsHash(text))
  expect(texts.length).toBe(app.catalogue.terms.newest?.n)
})

it('identifies entries by the hashes of their leaves in the register', async () => {
  const { entries } = await read({ limit: 1_000 })
  const logged = await entriesOfKind(app.ctx.db, 'terms')
  expect(logged.map(({ leaf }) => toHex(leaf))).toEqual(entries.map(({ hash }) => hash).toReversed())
})

it('answers a repeated request without a body until a change is announced', async () => {
  const get = async (tag = '') =>
    await app.http.inject({
      method: 'GET',
      url: '/api/proof/terms',
      headers: tag === '' ? {} : { 'if-none-match': tag },
    })
  const first = await get()
  const tag = String(first.headers['etag'])
  expect(tag).toContain((await read()).entries[0]?.hash)
  expect([(await get(tag)).statusCode, (await get(tag)).payload]).toEqual([304, ''])
  const owner = await app.staff('owner')
  const change = { what: 'payout', of: '60', value: '7000', applies_at: null } as const
  const seen = app.catalogue.terms.newest?.n ?? 0
  await owner.call(staffCalls.staffAnnounceTerms, { body: { ...change, seen_n: seen } })
  expect((await get(tag)).statusCode).toBe(200)
})

it('refuses a limit or a position that is no number or out of range', async () => {
  for (const query of ['limit=0', 'limit=1001', 'before=0', 'before=x'])
    expect((await app.http.inject({ method: 'GET', url: `/api/proof/terms?${query}` })).statusCode, query).toBe(422)
})
