import type { RegisterEntry } from '#core/register/entry.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Adds an entry in the caller's transaction. The register takes it within a minute. */
export async function addRegisterEntry(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, entry: RegisterEntry): Promise<void> {
  await addRegisterEntries(ctx, tx, [entry])
}

/** Adds at least one entry in the caller's transaction. The register keeps their order. */
export async function addRegisterEntries(
  ctx: Pick<Ctx, 'newId' | 'now'>,
  tx: Tx,
  entries: readonly RegisterEntry[],
): Promise<void> {
  const atMs = ctx.now()
  await tx
    .insertInto('register_pending')
    .values(entries.map((entry) => ({ id: ctx.newId(), ...entry, at_ms: atMs })))
    .execute()
}
