import { sql } from 'kysely'
import type { RegisterEntry } from '#core/register/entry.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Stores a waiting entry in the caller's transaction. The register adds it at the end of the minute. */
export async function addRegisterEntry(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, entry: RegisterEntry): Promise<void> {
  await addRegisterEntries(ctx, tx, [entry])
}

/**
 * Stores one or more waiting entries in the caller's transaction. The register adds them in this order, and after every
 * entry that was stored before them, whatever the clocks of the servers say.
 */
export async function addRegisterEntries(
  ctx: Pick<Ctx, 'newId' | 'now'>,
  tx: Tx,
  entries: readonly RegisterEntry[],
): Promise<void> {
  const atMs = sql<bigint>`greatest(${ctx.now()}::int8, (select max(at_ms) + 1 from register_pending))`
  await tx
    .insertInto('register_pending')
    .values(entries.map((entry) => ({ id: ctx.newId(), ...entry, at_ms: atMs })))
    .execute()
}
