import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The key of a staff call that is carried out only once: its id, chosen by the client, and a hash of its content. */
export interface StaffRequestKey {
  readonly staffId: string
  readonly requestId: string
  readonly contentHash: string
}

const RETENTION_MS = 90 * DAY_MS

/** Returns the reply of an earlier call with this id, or null. The same id with other content is refused. */
export async function findAnswer(
  tx: Tx,
  { staffId, requestId, contentHash }: StaffRequestKey,
): Promise<Result<string | null, 'request_conflict'>> {
  const row = await tx
    .selectFrom('staff_request')
    .select(['content_hash', 'answer'])
    .where('staff_id', '=', staffId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (row === undefined) return ok(null)
  return row.content_hash === contentHash ? ok(row.answer) : refuse('request_conflict')
}

/** Keeps the reply of a call, in the transaction of its change. The caller must hold `lockApprovals`. */
export async function keepAnswer(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  { staffId, requestId, contentHash }: StaffRequestKey,
  answer: string,
): Promise<void> {
  await tx
    .insertInto('staff_request')
    .values({ staff_id: staffId, request_id: requestId, content_hash: contentHash, answer, at_ms: ctx.now() })
    .execute()
}

/** Deletes replies after 90 days. */
export async function dropOldAnswers(ctx: Pick<Ctx, 'now'>, db: Db): Promise<void> {
  await db
    .deleteFrom('staff_request')
    .where('at_ms', '<', BigInt(later(ctx.now(), -RETENTION_MS)))
    .execute()
}
