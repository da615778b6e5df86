import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { CHANGE_KINDS, type ChangeKind, changeWaitMs } from '#core/staff/change-kinds.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import { type Instant, later, minuteText } from '#core/time/instant.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import { markOfPair } from '#server/audit/check-dual-approval.ts'
import {
  type Change,
  type ChangeFields,
  findOpenChange,
  insertChange,
  lockChange,
  markEnded,
  markSeconded,
} from '#server/audit/changes/changes.queries.ts'
import { publishAct } from '#server/audit/changes/publish-act.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** The reply to a change that waits. `appliesAt` is null until a second approver agrees. */
export interface RequestedChange {
  readonly id: string
  readonly appliesAt: Instant | null
}

export type AskRefusal = 'not_approver' | 'change_pending' | 'second_person_needed'

export interface WantedChange {
  readonly kind: ChangeKind
  readonly subject: string
  readonly before: ChangeFields
  readonly after: ChangeFields
  readonly reason: string
}

interface Asking {
  readonly mode: 'demo' | 'live'
  readonly actor: Actor
}

/**
 * Requests a change in the caller's transaction. Only one change of a subject can wait at a time. With fewer than two
 * approvers a second approval is impossible, so the waiting time starts now.
 */
export async function askChange(
  ctx: Ctx,
  tx: Tx,
  { change, ...asking }: Asking & { readonly change: WantedChange },
): Promise<Result<RequestedChange, AskRefusal>> {
  const asker = await checkAsk(ctx, tx, { actor: asking.actor, changes: [change] })
  return asker.ok ? ok(await insertAsked(ctx, tx, { ...asking, ...asker.value, change })) : asker
}

/** Requests all given changes or none of them. Each change follows the rules of `askChange`. */
export async function askChanges(
  ctx: Ctx,
  tx: Tx,
  { changes, ...asking }: Asking & { readonly changes: readonly WantedChange[] },
): Promise<Result<readonly RequestedChange[], AskRefusal>> {
  const asker = await checkAsk(ctx, tx, { actor: asking.actor, changes })
  if (!asker.ok) return asker
  const requested: RequestedChange[] = []
  for (const change of changes) requested.push(await insertAsked(ctx, tx, { ...asking, ...asker.value, change }))
  return ok(requested)
}

interface Asker {
  readonly staffId: string
  /** How many approvers there are. */
  readonly approvers: number
}

async function checkAsk(
  ctx: Ctx,
  tx: Tx,
  { actor, changes }: { readonly actor: Actor; readonly changes: readonly WantedChange[] },
): Promise<Result<Asker, AskRefusal>> {
  const { staffId } = actor
  // The operator CLI has no staff id, so it cannot take part in a decision of two approvers.
  if (staffId === undefined) return refuse('second_person_needed')
  const { byId } = await readApprovers(ctx, tx)
  if (!isSingleOperator(byId.size) && !byId.has(staffId)) return refuse('not_approver')
  for (const change of changes) {
    const open = await findOpenChange(tx, change)
    if (open !== null) return refusePending(open)
  }
  return ok({ staffId, approvers: byId.size })
}

async function insertAsked(
  ctx: Ctx,
  tx: Tx,
  { mode, actor, change, staffId, approvers }: Asking & Asker & { readonly change: WantedChange },
): Promise<RequestedChange> {
  const now = ctx.now()
  const { kind, subject, before, after } = change
  const requested = {
    ...change,
    id: ctx.newId(),
    contentHash: contentHash({ kind, subject, before, after }),
    requestedBy: staffId,
    requestedAt: now,
    requestedFrom: actor.address ?? '',
    appliesAt: isSingleOperator(approvers) ? later(now, changeWaitMs(kind, { mode, approvers })) : null,
  }
  await insertChange(tx, requested)
  if (requested.appliesAt !== null)
    await publishChange(ctx, tx, { ...requested, appliesAt: requested.appliesAt, people: 1 })
  return { id: requested.id, appliesAt: requested.appliesAt }
}

/** Returns the refusal of an edit while another change of the same subject waits. */
function refusePending({ appliesAt, requestedAt }: Change): Refusal<'change_pending'> {
  const isAgreed = appliesAt !== null
  return refuse('change_pending', {
    params: { until: minuteText(appliesAt ?? requestedAt), ...(!isAgreed && { variant: 'asked' }) },
  })
}

export type DecideChangeRefusal =
  | 'not_found'
  | 'change_over'
  | 'content_changed'
  | 'not_approver'
  | 'not_independent'
  | 'second_person_needed'
  | 'not_allowed'

interface Deciding {
  readonly id: string
  readonly staffId: string
  readonly actor: Actor
}

/** Gives the second approval. After it, the change waits for its time. */
export async function secondChange(
  ctx: Ctx,
  { id, staffId, actor, seenHash, mode }: Deciding & { readonly seenHash: string; readonly mode: 'demo' | 'live' },
): Promise<Result<RequestedChange, DecideChangeRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const change = await lockChange(tx, id)
    if (!change) return refuse('not_found')
    if (change.state !== 'asked') return refuse('change_over')
    if (change.contentHash !== seenHash) return refuse('content_changed')
    const approvers = await readApprovers(ctx, tx)
    const isSingle = isSingleOperator(approvers.byId.size)
    const first = { staffId: change.requestedBy, at: change.requestedAt, place: change.requestedFrom }
    const place = actor.address ?? ''
    const agreed = isSingle ? ok('') : markOfPair(approvers, { first, staffId, place, now: ctx.now() })
    if (!agreed.ok) return agreed
    const mark = agreed.value
    const now = ctx.now()
    const appliesAt = later(now, changeWaitMs(change.kind, { mode, approvers: approvers.byId.size }))
    await markSeconded(tx, id, { by: staffId, at: now, appliesAt, mark })
    await publishChange(ctx, tx, { ...change, appliesAt, mark, people: isSingle ? 1 : 2 })
    const after = { state: 'waiting', appliesAt, contentHash: seenHash }
    await recordAction(tx, ctx, actor, { target: change.subject, outcome: 'done', before: { state: 'asked' }, after })
    return ok({ id, appliesAt })
  })
}

/**
 * Cancels a change before it is in force. Any owner may cancel at any time, and so may the staff member who requested
 * the change.
 */
export async function cancelChange(
  ctx: Ctx,
  { id, staffId, actor, isOwner }: Deciding & { readonly isOwner: boolean },
): Promise<Result<null, DecideChangeRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const change = await lockChange(tx, id)
    if (!change) return refuse('not_found')
    if (!isOwner && change.requestedBy !== staffId) return refuse('not_allowed')
    if (change.state !== 'asked' && change.state !== 'waiting') return refuse('change_over')
    await markEnded(tx, id, { state: 'cancelled', by: actor.who, at: ctx.now() })
    const { kind, subject, appliesAt } = change
    if (appliesAt !== null && CHANGE_KINDS[kind].isPublic) {
      const [requestedAt, content] = [ctx.now(), change.contentHash]
      await publishAct(ctx, tx, {
        what: `${kind}_cancelled`,
        of: subject,
        requestedAt,
        appliesAt: requestedAt,
        people: 1,
        content,
      })
    }
    const [before, after] = [{ state: change.state }, { state: 'cancelled' }]
    await recordAction(tx, ctx, actor, { target: subject, outcome: 'done', before, after })
    return ok(null)
  })
}

/** Adds a change to the register as soon as its waiting time begins, if changes of this kind are public. */
async function publishChange(
  ctx: Ctx,
  tx: Tx,
  change: Pick<Change, 'kind' | 'subject' | 'requestedAt' | 'reason' | 'contentHash'> & {
    readonly appliesAt: Instant
    readonly people: 1 | 2
    readonly mark?: string
  },
): Promise<void> {
  const { kind, subject: of, contentHash: content, ...act } = change
  if (CHANGE_KINDS[kind].isPublic) await publishAct(ctx, tx, { ...act, what: kind, of, content })
}
