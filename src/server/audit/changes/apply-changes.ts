import { type Result, refuse } from '#core/result.ts'
import type { ChangeKind } from '#core/staff/change-kinds.ts'
import { type Change, listDueChanges, lockChange, markEnded } from '#server/audit/changes/changes.queries.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface Applied {
  /** The recorded values of the change, with the version of the changed object. */
  readonly before: unknown
  readonly after: unknown
  /** The name of the subject in the audit log. */
  readonly target?: string
  /** Runs after the commit, e.g. to reload what the server keeps in memory. */
  readonly afterCommit?: () => Promise<void>
}

/**
 * Applies a change of one kind, in the transaction that marks the change as ended. A refusal marks the change as
 * failed.
 */
export type ApplyChange = (tx: Tx, change: Change) => Promise<Result<Applied, string>>
export type ChangeAppliers = Readonly<Record<ChangeKind, ApplyChange>>

/** Applies every change whose time has come. A change that throws is tried again later, and does not hold up others. */
export async function applyDueChanges(ctx: Ctx, appliers: ChangeAppliers): Promise<void> {
  for (const id of await listDueChanges(ctx.db, ctx.now())) {
    try {
      await applyChange(ctx, appliers, id)
    } catch (error) {
      ctx.log.warn({ err: error, change: id }, 'a change whose time has come could not be applied')
    }
  }
}

async function applyChange(ctx: Ctx, appliers: ChangeAppliers, id: string): Promise<void> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const change = await lockChange(tx, id)
    // The change was cancelled, or another server applied it, since this server listed it.
    if (change?.state !== 'waiting') return null
    const applied = await appliers[change.kind](tx, change)
    const actor: Actor = { who: change.requestedByName, what: 'changes/apply', staffId: change.requestedBy }
    if (applied.ok) {
      const { before, after, target = change.subject } = applied.value
      await recordAction(tx, ctx, actor, { target, reason: change.reason, outcome: 'done', before, after })
      await markEnded(tx, id, { state: 'in_force', by: '', at: ctx.now() })
      return applied
    }
    await recordAction(tx, ctx, actor, { target: change.subject, reason: applied.refusal, outcome: 'failed' })
    await markEnded(tx, id, { state: 'failed', by: applied.refusal, at: ctx.now() })
    return refuse(applied.refusal)
  })
  if (done === null) return
  if (done.ok) await done.value.afterCommit?.()
  else
    ctx.log.warn({ change: id, refusal: done.refusal }, 'a change that two people agreed on could not be put in force')
  ctx.publish({ kind: 'back-office-changed', area: 'changes' })
}
