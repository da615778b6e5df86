import { isLimit, limitEnd, type MeasureKind, onePersonEnd, onePersonWindow } from '#core/accounts/measures.ts'
import type { Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import {
  endMeasure,
  insertMeasure,
  listOnePersonMeasures,
  type Measure,
  renewMeasure,
  runningMeasures,
} from '#server/users/accounts/measures.queries.ts'

/** The requested state of one kind of measure. If `set` is null, a present measure of this kind ends. */
export interface WantedMeasure {
  readonly kind: MeasureKind
  readonly set: { readonly value: Money | null; readonly reason: string } | null
}

export type MeasureRefusal = 'measure_used_up'

interface Changing {
  readonly userId: string
  readonly wanted: readonly WantedMeasure[]
  readonly mode: 'demo' | 'live'
  readonly staffId: string | undefined
}

/**
 * Starts, renews and ends measures against one user, in the transaction of the caller. The caller must hold the lock of
 * the account. If a limit keeps its value, its time starts again and its reason stays. A refusal changes nothing.
 */
export async function changeMeasures(
  ctx: Ctx,
  tx: Tx,
  { userId, wanted, mode, staffId }: Changing,
): Promise<Result<null, MeasureRefusal>> {
  const now = ctx.now()
  const running = new Map((await runningMeasures(tx, userId)).map((measure) => [measure.kind, measure]))
  const steps: (() => Promise<unknown>)[] = []
  for (const { kind, set } of wanted) {
    const before = running.get(kind)
    const isSame = before !== undefined && set !== null && isUnchanged(before, set)
    if (isSame && isLimit(kind)) steps.push(() => renewMeasure(tx, before.id, limitEnd(now)))
    if (isSame) continue
    if (before !== undefined) steps.push(() => endMeasure(tx, before.id, now))
    if (set === null) continue
    const until = await endOf(ctx, tx, { userId, kind, mode, before, now })
    if (until === 'used_up') return refuse('measure_used_up')
    const measure = { id: ctx.newId(), userId, kind, ...set, since: now, until, requestedBy: staffId ?? null }
    steps.push(() => insertMeasure(tx, measure))
  }
  for (const step of steps) await step()
  return ok(null)
}

function isUnchanged(before: Measure, set: { readonly value: Money | null; readonly reason: string }): boolean {
  return isLimit(before.kind) ? before.value === set.value : before.reason === set.reason
}

interface Beginning {
  readonly userId: string
  readonly kind: MeasureKind
  readonly mode: 'demo' | 'live'
  readonly before: Measure | undefined
  readonly now: Instant
}

/**
 * Computes when a new measure ends. If one staff member set the replaced measure alone, its time counts towards the
 * limit too.
 */
async function endOf(
  ctx: Ctx,
  tx: Tx,
  { userId, kind, mode, before, now }: Beginning,
): Promise<Instant | null | 'used_up'> {
  if (isLimit(kind)) return limitEnd(now)
  const past = await listOnePersonMeasures(tx, { userId, kind, after: onePersonWindow(now) })
  const replaced = before === undefined || before.secondBy !== null ? [] : [{ since: before.since, finishedAt: now }]
  const { byId } = await readApprovers(ctx, tx)
  return onePersonEnd(kind, { mode, approvers: byId.size, now, past: [...past, ...replaced] })
}
