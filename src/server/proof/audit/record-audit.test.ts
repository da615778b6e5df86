import { expect, it } from 'vitest'
import { HOUR_MS, type Instant, instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { chooseForAudit, isChosen } from '#server/proof/audit/record-audit.queries.ts'
import { withoutRules } from '#test/support/bare-rows.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const NOW = instant(1_800_000_000_000)
const database = useTestDatabase()

/** Adds a decided price whose expiry the hash chooses, without the tick log that it belongs to. */
async function decide(at: Instant): Promise<void> {
  let expires = at - MINUTE_MS
  while (!isChosen('', expires)) expires -= 1
  const key = { symbol_id: 1, source: 'a', expires_ms: expires, max_tick_age_ms: 1, rule: 2, evidence: 'ids' } as const
  const price = { exit_seq: 1, exit_price: 1, exit_time_ms: 1, watermark_ms: 1, is_late: false }
  await withoutRules(database, async (tx) => {
    await tx
      .insertInto('decided_price')
      .values({ ...key, ...price, decided_ms: at, head_seq: 0 })
      .execute()
  })
}

const chosen = async () => (await database.db.selectFrom('record_audit').select('expires_ms').execute()).length

it('the audit chooses among prices that were decided just before a choice and stored just after it', async () => {
  await chooseForAudit(database.db, NOW, HOUR_MS)
  await decide(later(NOW, -5 * SECOND_MS))
  await chooseForAudit(database.db, later(NOW, HOUR_MS), HOUR_MS)
  expect(await chosen()).toBe(1)
})

it('the audit chooses among prices that were decided after a clock that was ahead was set back', async () => {
  await chooseForAudit(database.db, later(NOW, 2 * HOUR_MS), HOUR_MS)
  await decide(later(NOW, -5 * MINUTE_MS))
  await chooseForAudit(database.db, NOW, HOUR_MS)
  expect(await chosen()).toBe(1)
})
