import type { LimitsOut } from '#contract/limits.ts'
import { isAmountRule, limitLeft, type OwnRuleKey } from '#core/accounts/self-limits.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { type LimitState, listLimits } from '#server/ledger/limit-uses.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { isUndecided } from '#server/users/limits/limit-prompt.queries.ts'
import {
  type LimitChange,
  limitsInForce,
  listChanges,
  listWaitingChanges,
} from '#server/users/limits/limits.queries.ts'
import { findRealityCheck } from '#server/users/limits/reality.queries.ts'

const HISTORY_SHOWN = 20

/** Builds the reply with all limits that a user set, and the user's break. */
export async function loadLimitsReply(
  ctx: Pick<Ctx, 'db' | 'now'>,
  userId: string,
  site: SiteCare,
): Promise<LimitsOut> {
  const states = new Map((await listLimits(ctx.db, userId)).map((state) => [state.key, state]))
  const waiting = await listWaitingChanges(ctx.db, userId)
  const history = await listChanges(ctx.db, userId, { limit: HISTORY_SHOWN })
  const own = await findBreak(ctx.db, userId)
  const reality = await findRealityCheck(ctx.db, userId, { now: ctx.now() })
  const isLocked = (await limitsInForce(ctx.db, userId)).has('withdrawal_lock')
  const windows = (kind: 'loss' | 'staked' | 'deposit') => ({
    day: toWindow(states.get(`${kind}_day`)),
    week: toWindow(states.get(`${kind}_week`)),
    month: toWindow(states.get(`${kind}_month`)),
  })
  return {
    stake_max: ruleNumber('stake_max', states.get('stake_max')?.value ?? null),
    loss: windows('loss'),
    staked: windows('staked'),
    deposit: windows('deposit'),
    reality: {
      minutes: reality?.minutes ?? null,
      from: reality?.session ? toIso(reality.session.from) : null,
      due_at: reality?.session ? toIso(reality.session.dueAt) : null,
    },
    withdrawal_lock: isLocked || site.isLockFixed,
    withdrawal_lock_fixed: site.isLockFixed,
    prompt: site.asksForLimit && (await isUndecided(ctx.db, userId)),
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

/** Returns, for each changed limit, the value in force and the time from which a waiting value can be confirmed. */
export function toOutcomes(keys: readonly OwnRuleKey[], limits: LimitsOut) {
  return keys.map((key) => ({
    key,
    in_force: valueOf(key, limits),
    ready_at: limits.waiting.find((change) => change.key === key)?.ready_at ?? null,
  }))
}

function valueOf(key: OwnRuleKey, limits: LimitsOut): number | null {
  if (key === 'reality_check') return limits.reality.minutes
  if (key === 'withdrawal_lock') return limits.withdrawal_lock ? 1 : null
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
    from: ruleNumber(key, from),
    to: ruleNumber(key, to),
    asked_at: toIso(requestedAt),
    ready_at: toIso(readyAt),
    lapses_at: toIso(lapsesAt),
  }
}

/** Converts the stored value of a rule for a reply: minor units to an amount, any other value to the same number. */
function ruleNumber(key: OwnRuleKey, value: bigint | null): number | null {
  if (value === null) return null
  return isAmountRule(key) ? moneyNumber(money(value)) : Number(value)
}
