import type { MarketSymbol } from '#core/markets/market.ts'
import { ALL, type TermsEntry, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import {
  MAX_STAKE_CEILING,
  MIN_NOTICE_MS,
  type Mode,
  RULE_LIMITS,
  tickAgeLimits,
} from '#core/markets/terms/terms-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { announceSymbol } from '#server/market-data/catalogue/announce-symbol.ts'
import { addEntries, lockedHistory } from '#server/market-data/catalogue/announce-terms.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

const MINUTE = MINUTE_MS / SECOND_MS
const HOUR = HOUR_MS / SECOND_MS
const DAY = DAY_MS / SECOND_MS

/** The durations of a new installation: id, seconds, minimum stake in cents and payout in basis points. */
const FIRST_DURATIONS = [
  [1, MINUTE, 1_000, 8_000],
  [2, 5 * MINUTE, 2_000, 8_500],
  [3, 30 * MINUTE, 2_000, 8_700],
  [4, HOUR, 5_000, 8_800],
  [5, DAY, 10_000, 9_000],
] as const
const FIRST_MAX_STAKE = 500_000

/**
 * Announces the first terms of a new installation, which apply at once. The database accepts that only while there is
 * neither a user nor an order. Later starts announce symbols that are new in the feed, with notice.
 */
export async function seedTerms(ctx: Ctx, mode: Mode, symbols: readonly MarketSymbol[]): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const history = await lockedHistory(tx)
    const known = new Set(history.subjects('symbol'))
    const added = symbols.filter(({ code }) => !known.has(code))
    checkAges(mode, added)
    if (history.newest === null && (await isUnused(tx))) await addFirstTerms(ctx, tx, mode, added)
    else for (const { code, maxTickAgeMs } of added) await announceSymbol(ctx, tx, { code, maxTickAgeMs, mode })
  })
}

/**
 * Throws when the maximum price age of a new symbol is outside the limits. Symbols that the history of terms already
 * contains are not checked, because their age may be older than the limits.
 */
function checkAges(mode: Mode, added: readonly MarketSymbol[]): void {
  for (const { code, marketType, maxTickAgeMs } of added) {
    const { min, max } = tickAgeLimits(mode, marketType)
    if (maxTickAgeMs >= min && maxTickAgeMs <= max) continue
    throw new StartUpError(`The maximum price age of ${code} must be between ${min} and ${max} ms.`)
  }
}

async function isUnused(tx: Tx): Promise<boolean> {
  for (const table of ['app_user', 'open_order', 'order_history'] as const) {
    if ((await tx.selectFrom(table).select('id').limit(1).execute()).length > 0) return false
  }
  return true
}

async function addFirstTerms(ctx: Ctx, tx: Tx, mode: Mode, symbols: readonly MarketSymbol[]): Promise<void> {
  await tx
    .insertInto('trade_setting')
    .values(FIRST_DURATIONS.map(([id, seconds]) => ({ id, seconds })))
    .execute()
  const now = ctx.now()
  const entry = (what: TermsPart, of: string, value: string | number) => ({
    what,
    of,
    value: String(value),
    announcedAt: now,
    appliesAt: now,
  })
  await addEntries(ctx, tx, [
    entry('notice', ALL, MIN_NOTICE_MS[mode]),
    entry('ceiling', ALL, MAX_STAKE_CEILING),
    entry('rule', ALL, RULE_LIMITS.max),
    ...FIRST_DURATIONS.flatMap(([, seconds, minStake, payout]) => [
      entry('duration', String(seconds), 'open'),
      entry('payout', String(seconds), payout),
      entry('min_stake', String(seconds), minStake),
      entry('max_stake', String(seconds), FIRST_MAX_STAKE),
    ]),
    ...symbols.flatMap(({ code, maxTickAgeMs }) => [
      entry('max_tick_age', code, maxTickAgeMs),
      entry('symbol', code, 'open'),
    ]),
  ] satisfies Pick<TermsEntry, 'what' | 'of' | 'value' | 'announcedAt' | 'appliesAt'>[])
}
