import type { AlertOut } from '#contract/alerts.ts'
import { calls } from '#contract/calls.ts'
import { MAX_RUNNING_ALERTS } from '#core/markets/price-alerts/price-alert.ts'
import { priceNumber } from '#core/money/price.ts'
import { assert, refuse } from '#core/result.ts'
import { type Instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { endRunningAlert, findAlert, listAlerts, type StoredAlert } from '#server/price-alerts/alerts.queries.ts'
import { changeAlert, repeatAlert, setAlert } from '#server/price-alerts/set-alert.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'

/** At most 50 alerts that no longer run are listed. */
const LISTED_PAST = 50

/** Registers the calls for the price alerts of a user. */
export function alertsRoutes(register: Register, parts: MarketParts): void {
  const { ctx, catalogue } = parts
  const toReply = (alert: StoredAlert): AlertOut => {
    const symbol = catalogue.byId(alert.symbolId)
    assert(symbol, 'the symbol of an alert stays known')
    return toAlertReply(alert, symbol, ctx.now())
  }
  const one = (alert: StoredAlert) => answer({ alert: toReply(alert) })

  register(calls.alerts, async ({ user }) => {
    const found = await listAlerts(ctx.db, user.userId, LISTED_PAST)
    const running = found.filter(({ state }) => state === 'running').length
    return answer({ alerts: found.map(toReply), left: MAX_RUNNING_ALERTS - running })
  })
  register(calls.setAlert, async ({ user: { userId }, body }) => {
    const set = await setAlert(parts, userId, body)
    return set.ok ? one(set.value) : set
  })
  register(calls.changeAlert, async ({ user: { userId }, params: { id }, body: { version, ...settings } }) => {
    const changed = await changeAlert(parts, { userId, id, version }, settings)
    return changed.ok ? one(changed.value) : changed
  })
  register(calls.repeatAlert, async ({ user: { userId }, params: { id }, body: { version } }) => {
    const changed = await repeatAlert(parts, { userId, id, version })
    return changed.ok ? one(changed.value) : changed
  })
  register(calls.endAlert, async ({ user: { userId }, params: { id }, body: { version } }) => {
    const stopped = await endRunningAlert(ctx.db, { userId, id, version })
    if (stopped !== null) return one(stopped)
    return refuse((await findAlert(ctx.db, userId, id)) === null ? 'not_found' : 'alert_changed')
  })
}

function toAlertReply(
  alert: StoredAlert,
  { code, decimals }: { readonly code: string; readonly decimals: number },
  now: Instant,
): AlertOut {
  const { rule, basis, fired } = alert
  return {
    id: alert.id,
    symbol: code,
    decimals,
    kind: rule.kind,
    level: rule.kind === 'move' ? null : priceNumber(rule.level, decimals),
    percent: rule.kind === 'move' ? rule.move / 100 : null,
    basis: { price: priceNumber(basis.price, decimals), q: basis.seq },
    repeats: alert.repeats,
    cool_minutes: alert.coolMs / MINUTE_MS,
    expires_at: toIso(alert.expiresAt),
    note: alert.note,
    state: stateOf(alert, now),
    fired: fired && {
      q: fired.tick.seq,
      price: priceNumber(fired.tick.price, decimals),
      time_ms: fired.tick.time,
      previous_q: fired.previous.seq,
    },
    created_at: toIso(alert.createdAt),
    version: alert.version,
  }
}

/**
 * Returns the state that the user sees. An expired alert may still be stored as running until the next tick of its
 * symbol.
 */
function stateOf({ state, expiresAt, quietUntil }: StoredAlert, now: Instant): AlertOut['state'] {
  if (state !== 'running') return state
  if (now > expiresAt) return 'expired'
  return now < quietUntil ? 'cooling' : 'running'
}
