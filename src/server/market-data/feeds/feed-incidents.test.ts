import { beforeEach, expect, it, vi } from 'vitest'
import { later } from '#core/time/instant.ts'
import { listIncidents } from '#server/market-data/feeds/multi-source/incidents.queries.ts'
import type { IncidentNote } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { type IncidentRecorder, recordIncidents } from '#server/market-data/feeds/multi-source/record-incidents.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let recorder: IncidentRecorder
beforeEach(async () => {
  ctx = createTestContext(database.db)
  recorder = recordIncidents(ctx)
})

const note = (change: Partial<IncidentNote>): void =>
  recorder.note({
    phase: 'happened',
    kind: 'switched',
    symbolId: 1,
    source: 'two',
    at: ctx.now(),
    detail: 'the other source is silent',
    ...change,
  })
const list = (query: Partial<Parameters<typeof listIncidents>[1]> = {}) =>
  listIncidents(ctx.db, { limit: 100, ...query })
const written = (count: number) =>
  vi.waitFor(
    async () => {
      ctx.clock.advance(1_000)
      expect(await list()).toHaveLength(count)
    },
    { interval: 5 },
  )

it('lists incidents newest first, in pages, for all symbols or one', async () => {
  for (const [place, symbolId] of [1, 2, 1, null, 1].entries()) {
    note({ symbolId, source: `s${place}`, at: later(TEST_START, place > 3 ? 3 : place) })
  }
  await written(5)
  const all = await list()
  expect(all.map(({ source }) => source)).toEqual(['s4', 's3', 's2', 's1', 's0'])
  expect(all[0]).toMatchObject({ symbolId: 1, kind: 'switched', lasts: false, endedAt: null })
  const [first, second] = all
  expect(first && (await list({ before: first, limit: 2 })).map(({ source }) => source)).toEqual(['s3', 's2'])
  expect(second && (await list({ before: second, symbolId: 1 })).map(({ source }) => source)).toEqual(['s2', 's0'])
  await recorder.stop()
})

it('stores the end of a lasting incident', async () => {
  const began = { phase: 'began', kind: 'divergence', source: null } as const
  note(began)
  await written(1)
  expect((await list())[0]).toMatchObject({ lasts: true, endedAt: null })
  note({ ...began, phase: 'ended', at: later(TEST_START, 7_000) })
  note({ ...began, phase: 'ended', at: later(TEST_START, 9_000) })
  await recorder.stop()
  expect(await list()).toMatchObject([{ kind: 'divergence', at: TEST_START, endedAt: TEST_START + 7_000 }])
})

it('records repeated incidents once per interval, with a count', async () => {
  for (let second = 0; second < 25; second += 1) note({ kind: 'spike_dropped', at: later(TEST_START, second * 1_000) })
  await recorder.stop()
  expect((await list()).map(({ detail }) => detail)).toEqual([
    'the other source is silent; 9 more before',
    'the other source is silent; 9 more before',
    'the other source is silent',
  ])
})

it('ends incidents that an earlier run left open', async () => {
  note({ phase: 'began', kind: 'silent' })
  await recorder.stop()
  ctx.clock.advance(60_000)
  recorder = recordIncidents(ctx)
  note({ phase: 'began', kind: 'gap', source: null })
  await written(2)
  expect(await list()).toMatchObject([
    { kind: 'gap', endedAt: null },
    { kind: 'silent', endedAt: TEST_START + 61_000 },
  ])
  await recorder.stop()
})

it('loses no incident while the database is unreachable, and never delays a price', async () => {
  const transaction = ctx.db.transaction.bind(ctx.db)
  let fails = 3
  vi.spyOn(ctx.db, 'transaction').mockImplementation(() => {
    fails -= 1
    if (fails >= 0) throw new Error('away')
    return transaction()
  })
  note({})
  note({ phase: 'began', kind: 'gap' })
  note({ phase: 'ended', kind: 'gap' })
  await written(2)
  expect(ctx.lines.filter(({ level }) => level === 'warn')).toHaveLength(3)
  vi.restoreAllMocks()
  await recorder.stop()
})

it('incidents cannot be changed or deleted by the server', async () => {
  note({})
  await recorder.stop()
  await expect(ctx.db.deleteFrom('feed_incident').execute()).rejects.toThrow('permission denied')
  await expect(ctx.db.updateTable('feed_incident').set({ detail: '' }).execute()).rejects.toThrow('permission denied')
})
