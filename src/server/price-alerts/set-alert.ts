import type { AlertSettings } from '#contract/alerts.ts'
import { ALERT_LIFE_MS, type AlertRule, alertRefusal } from '#core/markets/price-alerts/price-alert.ts'
import { type Price, parsePrice } from '#core/money/price.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { type Instant, instant, later, MINUTE_MS, minuteText } from '#core/time/instant.ts'
import {
  type AlertStart,
  findAlert,
  insertAlert,
  restartAlert,
  shareMark,
  type StoredAlert,
} from '#server/price-alerts/alerts.queries.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Tx } from '#server/platform/database/tables.ts'

type StartRefusal = 'price_stale' | 'alert_at_price' | 'alert_wrong_side'
type SettingsRefusal = 'alert_level' | 'alert_expiry'

/** The settings of an alert, with the rule and the expiry that follow from the settings. */
type Decided = Pick<AlertStart, 'rule' | 'repeats' | 'coolMs' | 'expiresAt' | 'note'>

/** Sets a new alert. */
export async function setAlert(
  parts: MarketParts,
  userId: string,
  { symbol: code, ...settings }: AlertSettings & { readonly symbol: string },
): Promise<Result<StoredAlert, StartRefusal | SettingsRefusal | 'symbol_unknown' | 'too_many_alerts' | 'excluded'>> {
  const { ctx, catalogue } = parts
  const symbol = catalogue.find(code)
  if (symbol === null) return refuse('symbol_unknown')
  const decided = decide(settings, symbol.decimals, ctx.now())
  if (!decided.ok) return decided
  const id = ctx.newId()
  return await withRoom(parts, userId, () =>
    startAlert(parts, { symbolId: symbol.id, decided: decided.value }, async (tx, start) =>
      ok(await insertAlert(tx, { ...start, userId, id, symbolId: symbol.id, createdAt: ctx.now() })),
    ),
  )
}

interface Named {
  readonly userId: string
  readonly id: string
  readonly version: number
}

/** Changes a running alert and restarts it from the newest price. */
export async function changeAlert(
  parts: MarketParts,
  named: Named,
  settings: AlertSettings,
): Promise<Result<StoredAlert, StartRefusal | SettingsRefusal | 'not_found' | 'alert_changed'>> {
  const found = await findAlert(parts.ctx.db, named.userId, named.id)
  const symbol = found && parts.catalogue.byId(found.symbolId)
  if (found === null || symbol === null) return refuse('not_found')
  const decided = decide(settings, symbol.decimals, parts.ctx.now(), found.expiresAt)
  if (!decided.ok) return decided
  return await startAlert(parts, { symbolId: found.symbolId, decided: decided.value }, async (tx, start) => {
    const changed = await restartAlert(tx, { ...start, ...named, isRunning: true })
    return changed === null ? refuse('alert_changed') : ok(changed)
  })
}

/** Restarts an alert that no longer runs. */
export async function repeatAlert(
  parts: MarketParts,
  named: Named,
): Promise<Result<StoredAlert, StartRefusal | 'not_found' | 'alert_changed' | 'too_many_alerts' | 'excluded'>> {
  const found = await findAlert(parts.ctx.db, named.userId, named.id)
  if (found === null || parts.catalogue.byId(found.symbolId) === null) return refuse('not_found')
  const decided = { ...found, expiresAt: later(parts.ctx.now(), ALERT_LIFE_MS.usual) }
  return await withRoom(parts, named.userId, () =>
    startAlert(parts, { symbolId: found.symbolId, decided }, async (tx, start) => {
      const changed = await restartAlert(tx, { ...start, ...named, isRunning: false })
      return changed === null ? refuse('alert_changed') : ok(changed)
    }),
  )
}

/**
 * 5 attempts: another server may have read the log further than this server's prices, but hardly five times in a row.
 */
const MAX_TRIES = 5

/**
 * Runs `write` with the newest tick of the symbol and the last position of the tick log (`fromSeq`). Until the commit,
 * no server reads ticks for alerts, so the alert sees every tick after `fromSeq`.
 */
async function startAlert<R extends string>(
  { ctx, ticks }: MarketParts,
  { symbolId, decided }: { readonly symbolId: number; readonly decided: Decided },
  write: (tx: Tx, start: Omit<AlertStart, 'userId' | 'id'>) => Promise<Result<StoredAlert, R>>,
): Promise<Result<StoredAlert, R | StartRefusal>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    await ticks.waitUntilCaughtUp()
    const newest = ticks.latest(symbolId)
    if (newest === null) break
    const fromSeq = ticks.head().lastSeq
    const refusal = alertRefusal(decided.rule, newest.price)
    if (refusal !== null) return refuse(refusal)
    const { seq, price, time } = newest
    const { rule, repeats, coolMs, expiresAt, note } = decided
    const started = await ctx.db.transaction().execute(async (tx) => {
      if ((await shareMark(tx)) > fromSeq) return null
      return await write(tx, { rule, repeats, coolMs, expiresAt, note, basis: { seq, price, time }, fromSeq })
    })
    if (started !== null) return started
  }
  return refuse('price_stale')
}

/**
 * Turns a check violation of the database into a refusal. The database counts the running alerts of a user, including
 * alerts that another request is setting.
 */
async function withRoom<R extends string>(
  { ctx }: MarketParts,
  userId: string,
  run: () => Promise<Result<StoredAlert, R>>,
): Promise<Result<StoredAlert, R | 'too_many_alerts' | 'excluded'>> {
  try {
    return await run()
  } catch (error) {
    if (!isCheckViolation(error)) throw error
    const own = await findBreak(ctx.db, userId)
    if (own?.kind === 'exclusion') return refuse('excluded', { params: { until: minuteText(own.until) } })
    return refuse('too_many_alerts')
  }
}

/** `kept` is the end that the alert already has. It may stay, also when it is less than the shortest life away. */
function decide(
  { kind, level, percent, repeats, cool_minutes: minutes, expires_at: expires, note }: AlertSettings,
  decimals: number,
  now: Instant,
  kept: Instant | null = null,
): Result<Decided, SettingsRefusal> {
  const rule = toRule(kind, { level: toLevel(level, decimals), percent })
  if (rule === null) return refuse('alert_level', { params: { decimals } })
  const expiresAt = typeof expires === 'string' ? instant(Date.parse(expires)) : later(now, ALERT_LIFE_MS.usual)
  const earliest = expiresAt === kept ? now + 1 : now + ALERT_LIFE_MS.min
  if (expiresAt < earliest || expiresAt > now + ALERT_LIFE_MS.max) return refuse('alert_expiry')
  return ok({ rule, repeats, coolMs: minutes * MINUTE_MS, expiresAt, note })
}

function toLevel(level: AlertSettings['level'], decimals: number): Price | null {
  return level === undefined || level === null ? null : parsePrice(asciiDigits(String(level)), decimals)
}

function toRule(
  kind: AlertSettings['kind'],
  { level, percent }: { readonly level: Price | null; readonly percent: AlertSettings['percent'] },
): AlertRule | null {
  if (kind !== 'move') return level === null ? null : { kind, level }
  const move = Math.round((percent ?? 0) * 100)
  return move / 100 === percent ? { kind, move } : null
}
