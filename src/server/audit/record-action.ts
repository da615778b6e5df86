import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The author of an action: an operating-system user of this machine, or a staff member. */
export interface Actor {
  readonly who: string
  /** The name of the action, e.g. `deposits approve`. */
  readonly what: string
  /** The staff id, request and address. Absent for the operator CLI. */
  readonly staffId?: string
  readonly requestId?: string
  readonly address?: string
}

export interface AdminAction {
  /** The subject of the action: a reference, a name or a key. */
  readonly target: string
  readonly reason?: string
  /** `looked`: the action only read. `refused` and `failed`: the action changed nothing. */
  readonly outcome: 'looked' | 'done' | 'refused' | 'failed'
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Adds an entry to the audit log. A change is recorded in the transaction (`tx`) that makes the change, so that change
 * and entry are committed together. The table refuses updates and deletes. The database assigns the number in the chain
 * at commit (`chain_admin_action` of the migration `baseline`), so the time of recording within the transaction does not
 * matter.
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
