import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Why the register is halted: a `backup` was restored, or a `witness` knows a larger register than this one. */
export type HaltCause = 'backup' | 'witness'

export interface Halt {
  readonly atMs: number
  readonly cause: HaltCause
  readonly knownSize: number | null
}

/** Finds the halt that has not ended. */
export async function currentHalt(db: Db): Promise<Halt | null> {
  const row = await db
    .selectFrom('register_halt')
    .selectAll()
    .where('ended_ms', 'is', null)
    .orderBy('at_ms')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const knownSize = row.known_size === null ? null : Number(row.known_size)
  return { atMs: Number(row.at_ms), cause: row.cause === 'backup' ? 'backup' : 'witness', knownSize }
}

/** Halts the register, unless it is halted already. */
export async function haltRegister(
  { newId, now }: Pick<Ctx, 'newId' | 'now'>,
  db: Db,
  { cause, knownSize }: Pick<Halt, 'cause' | 'knownSize'>,
): Promise<void> {
  if ((await currentHalt(db)) !== null) return
  await db.insertInto('register_halt').values({ id: newId(), at_ms: now(), cause, known_size: knownSize }).execute()
}

export async function endHalts(db: Db, nowMs: number): Promise<void> {
  await db.updateTable('register_halt').set({ ended_ms: nowMs }).where('ended_ms', 'is', null).execute()
}
