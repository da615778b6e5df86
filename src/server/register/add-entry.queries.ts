import type { RegisterEntry } from '#core/register/entry.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Adds an entry in the caller's transaction. The register takes it within a minute. */
export async function addRegisterEntry(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, entry: RegisterEntry): Promise<void> {
  await tx
    .insertInto('register_pending')
    .values({ id: ctx.newId(), ...entry, at_ms: ctx.now() })
    .execute()
}
