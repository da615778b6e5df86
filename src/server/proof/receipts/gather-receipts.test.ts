import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { HOUR_MS } from '#core/time/instant.ts'
import { entryHash } from '#core/register/entry.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { gatherReceipts } from '#server/proof/receipts/gather-receipts.ts'
import { insertEntries } from '#server/register/register.queries.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const NOW = 1_800_000_000_000
const database = useTestDatabase()

async function insertBatch(madeMs: number): Promise<void> {
  const payload = Buffer.from(JSON.stringify({ root: '00'.repeat(32), count: 1, kind: 'accepted' })).toString(
    'base64url',
  )
  const batch = {
    kind: 'accepted',
    first_ms: madeMs,
    last_ms: madeMs,
    made_ms: madeMs,
    keys: Buffer.alloc(32),
  } as const
  await database.db
    .insertInto('receipt_batch')
    .values({ ...batch, id: randomUUID(), signature: `e30.${payload}.e30` })
    .execute()
}

/** Adds the receipts to the register as the job does, and returns how many batches have an entry. */
async function close(index: number): Promise<number> {
  await database.db.transaction().execute(async (tx) => {
    for (const { kind, text, added } of await gatherReceipts(tx, NOW)) {
      await insertEntries(tx, index, [{ kind, text, leaf: entryHash(sha256, text), atMs: NOW }])
      await added?.(tx, index)
    }
  })
  return (await database.db.selectFrom('register_batch').select('batch_id').execute()).length
}

it('receipts enter the register after a clock that was an hour ahead was set back', async () => {
  const log = { log: 1, origin: 'example.com', mode: 'demo', keys: '', made_ms: 0 }
  await database.db.insertInto('log_identity').values(log).execute()
  await insertBatch(NOW + HOUR_MS)
  expect(await close(0)).toBe(1)
  await insertBatch(NOW)
  expect(await close(1)).toBe(2)
})
