import { expect, it } from 'vitest'
import { entryHash, makeEntry } from '#core/register/entry.ts'
import { rootOfLog } from '#core/register/log-proofs.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { deletePending, insertEntries, storedTree } from '#server/register/register.queries.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()

it('a register of 13,200 entries, whose fields exceed the parameters of one statement, is recovered', async () => {
  const entries = Array.from({ length: 13_200 }, (_, at) => {
    const entry = makeEntry('ticks', { at_ms: at })
    return { ...entry, leaf: entryHash(sha256, entry.text), atMs: at }
  })
  const log = { log: 1, origin: 'example.com', mode: 'demo', keys: '', made_ms: 0 }
  await database.db.insertInto('log_identity').values(log).execute()
  await database.db.transaction().execute(async (tx) => {
    await insertEntries(tx, 0, entries)
    await deletePending(
      tx,
      entries.map(({ text }) => text),
    )
    expect((await rootOfLog(storedTree(tx, entries.length))).length).toBe(32)
  })
  const { rows } = await database.db
    .selectFrom('register_entry')
    .select((of) => of.fn.countAll<bigint>().as('rows'))
    .executeTakeFirstOrThrow()
  expect(Number(rows)).toBe(13_200)
})
