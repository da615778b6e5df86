import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { isSecondTaker, saveCap } from '#server/market-data/catalogue/save-cap.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

/** Records a server as it would at its start, seen this long ago by the clock of the database. */
async function nodeAt(name: string, roles: readonly string[] = ['api', 'settle'], seenMsAgo = 0): Promise<void> {
  await sql`
    insert into server_node (run, name, roles, is_on_bus, seen_ms)
    values (${app.ctx.newId()}, ${name}, ${[...roles]}::text[], true,
      (extract(epoch from clock_timestamp()) * 1000)::int8 - ${seenMsAgo}::int8)`.execute(app.ctx.db)
}

async function save(maximum: number | null, seenN = 0) {
  const actor = { who: 'mara', what: 'exposure/caps/save' }
  return await saveCap(
    app.ctx,
    { catalogue: app.catalogue, mode: 'demo' },
    {
      scope: 'symbol',
      key: 'BTC',
      maximum: maximum === null ? null : money(maximum),
      seenN,
      reason: 'a busy day',
      isConfirmed: true,
      actor,
    },
  )
}

describe('OD7.4: caps and servers', () => {
  it('no cap can be set while two servers take orders', async () => {
    await nodeAt('one:3000')
    await nodeAt('two:3000')
    expect(await save(5_000)).toMatchObject({ refusal: 'caps_one_server' })
    expect(app.catalogue.terms.subjects('cap')).toEqual([])
  })

  it.each<[string, () => Promise<void>]>([
    ['another server that takes no orders', () => nodeAt('two:3000', ['feed', 'settle'])],
    ['a server that was replaced in its place', () => nodeAt('one:3000')],
    ['a server that was last seen a minute ago', () => nodeAt('two:3000', ['api'], MINUTE_MS)],
  ])('a cap can be set beside %s', async (_what, other) => {
    await nodeAt('one:3000')
    await other()
    expect(await save(5_000)).toMatchObject({ ok: true })
  })

  it('while a cap is set or announced, a second server that takes orders does not start', async () => {
    await nodeAt('one:3000')
    expect(await isSecondTaker(app.ctx, 'two:3000')).toBe(false)
    const saved = await save(5_000)
    expect(await isSecondTaker(app.ctx, 'two:3000')).toBe(true)
    expect(await isSecondTaker(app.ctx, 'one:3000')).toBe(false)
    if (!saved.ok) throw new Error(saved.refusal)
    expect(await save(null, saved.value.version)).toMatchObject({ ok: true })
    app.ctx.clock.advance(2 * MINUTE_MS)
    expect(await isSecondTaker(app.ctx, 'two:3000')).toBe(false)
  })
})
