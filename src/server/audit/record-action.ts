import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Who acts for the operator: a user of this machine's system, or a member of staff. */
export interface Actor {
  readonly who: string
  /** What they asked for, as they would name it: `deposits approve`. */
  readonly what: string
  /** Of a member of staff: who exactly, by which request, from where. */
  readonly staffId?: string
  readonly requestId?: string
  readonly address?: string
}

export interface AdminAction {
  /** What it was done to: a reference, a name, a key. */
  readonly target: string
  readonly reason?: string
  /** `looked`: nothing was to be changed. `refused` and `failed`: nothing was. */
  readonly outcome: 'looked' | 'done' | 'refused' | 'failed'
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Adds a line to the log of what the operator did. A change is recorded in its own transaction (hand in `tx`), so that
 * neither is ever there without the other. The table refuses to change or lose a line; its place in the chain a line
 * gets from the database at commit, so where in its transaction it is recorded does not matter.
 */
export async function recordAction(
  handle: Db | Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  { who, what, staffId, requestId = '', address = '' }: Actor,
  { target, reason = '', outcome, before, after }: AdminAction,
): Promise<void> {
  await handle
    .insertInto('admin_action')
    .values({
      id: ctx.newId(),
      at_ms: ctx.now(),
      who,
      what,
      target,
      reason,
      outcome,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
      staff_id: staffId ?? null,
      request_id: requestId,
      address,
    })
    .execute()
}
