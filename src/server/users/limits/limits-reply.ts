import type { LimitsOut } from '#contract/limits.ts'
import { limitLeft, type SelfLimitKey } from '#core/accounts/self-limits.ts'
import { type Money, moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { type LimitState, listLimits } from '#server/ledger/limit-uses.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { type LimitChange, listChanges, listWaitingChanges } from '#server/users/limits/limits.queries.ts'

const HISTORY_SHOWN = 20

/** All own limits and the break of a user. */
export async function loadLimitsReply(ctx: Pick<Ctx, 'db' | 'now'>, userId: string): Promise<LimitsOut> {
  const states = new Map((await listLimits(ctx.db, userId)).map((state) => [state.key, state]))
  const waiting = await listWaitingChanges(ctx.db, userId)
  const history = await listChanges(ctx.db, userId, { limit: HISTORY_SHOWN })
  const own = await findBreak(ctx.db, userId)
  const windows = (kind: 'loss' | 'staked' | 'deposit') => ({
    day: toWindow(states.get(`${kind}_day`)),
    week: toWindow(states.get(`${kind}_week`)),
    month: toWindow(states.get(`${kind}_month`)),
  })
  return {
    stake_max: numberOrNull(states.get('stake_max')?.value ?? null),
    loss: windows('loss'),
    staked: windows('staked'),
    deposit: windows('deposit'),
    waiting: waiting.map((change) => ({ ...toChange(change), ready: change.isReady })),
    break: toBreakReply(own),
    history: history.map((change) => ({
      ...toChange(change),
      direction: change.direction,
      outcome: change.outcome,
    })),
    as_of: toIso(ctx.now()),
  }
}

/** Returns for each requested key the value in force, and when a waiting value can be confirmed. */
export function toOutcomes(keys: readonly SelfLimitKey[], limits: LimitsOut) {
  return keys.map((key) => ({
    key,
    in_force: valueOf(key, limits),
    ready_at: limits.waiting.find((change) => change.key === key)?.ready_at ?? null,
  }))
}

function valueOf(key: SelfLimitKey, limits: LimitsOut): number | null {
  if (key === 'stake_max') return limits.stake_max
  const [kind, period] = key.split('_') as ['loss' | 'staked' | 'deposit', 'day' | 'week' | 'month']
  return limits[kind][period]?.value ?? null
}

function toWindow(state: LimitState | undefined) {
  return state === undefined
    ? null
    : {
        value: moneyNumber(state.value),
        used: moneyNumber(state.used),
        open: moneyNumber(state.open),
        left: moneyNumber(limitLeft(state)),
        frees_at: state.freesAt === null ? null : toIso(state.freesAt),
        since: toIso(state.since),
      }
}

function toChange({ id, key, from, to, requestedAt, readyAt, lapsesAt }: LimitChange) {
  return {
    id,
    key,
    from: numberOrNull(from),
    to: numberOrNull(to),
    asked_at: toIso(requestedAt),
    ready_at: toIso(readyAt),
    lapses_at: toIso(lapsesAt),
  }
}

function numberOrNull(amount: Money | null): number | null {
  return amount === null ? null : moneyNumber(amount)
}
