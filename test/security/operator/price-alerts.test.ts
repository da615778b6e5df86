import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: AttackBench
let alice: TestUser
beforeEach(async () => {
  bench = await openAttackBench(database)
  alice = await bench.funded(1_000, 'alice')
  await bench.priced(9_400_000)
})
afterEach(() => bench.close())

const alertOf = async ({ token }: TestUser) => {
  const body = { symbol: 'BTC', kind: 'above' as const, level: '95000' }
  return (await bench.app.call(calls.setAlert, { token, body })).body.data.alert
}
const run = (statement: string) => sql.raw(statement).execute(database.db)
const stored = () => database.db.selectFrom('price_alert').selectAll().execute()
const notified = () => database.db.selectFrom('notice').selectAll().where('kind', '=', 'price_alert').execute()

it('A165: attack: another user reads, changes, ends or repeats a price alert', async () => {
  const { id, version } = await alertOf(alice)
  const before = await stored()
  const mallory = { token: (await bench.funded(1_000, 'mallory')).token }
  const named = { ...mallory, params: { id }, body: { version } }
  const replies = [
    await bench.app.call(calls.endAlert, named),
    await bench.app.call(calls.repeatAlert, named),
    await bench.app.call(calls.changeAlert, { ...named, body: { version, kind: 'move', percent: 1 } }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await bench.app.call(calls.alerts, mallory)).body.data.alerts).toEqual([])
  expect(await stored()).toEqual(before)
})

it('A166: attack: operator: a price alert that fires without a matching tick, or is announced twice', async () => {
  await alertOf(alice)
  const before = await stored()
  const firing = (seq: string, price: number, round = 1) => `update price_alert set round = ${round}, state = 'fired',
    version = 2, fired_seq = ${seq}, fired_price = ${price}, fired_time_ms = 1, previous_seq = 1, previous_time_ms = 1`
  for (const statement of [
    firing('from_seq + 1', 9_499_999),
    firing('from_seq', 9_600_000),
    firing('from_seq + 1', 9_600_000, 2),
    `update price_alert set notified_round = 5`,
    `update price_alert set user_id = gen_random_uuid()`,
    `update price_alert set symbol_id = 2`,
    `delete from alert_mark`,
  ])
    await expect(run(statement), statement).rejects.toThrow(/does not fire it|permission denied/)
  expect(await stored()).toEqual(before)
  await run(firing('from_seq + 1', 9_500_000))
  for (let times = 0; times < 2; times += 1) await run('select tell_price_alerts()')
  expect(await notified()).toHaveLength(1)
  await expect(run(firing('from_seq + 1', 9_500_000, 2))).rejects.toThrow('does not fire it')
})
