import {
  type DashboardDays,
  type DashboardSummary,
  EXPIRY_SPANS,
  type Exposure,
} from '#contract/back-office/dashboard.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type Money, money, moneyNumber } from '#core/money/money.ts'
import { ok } from '#core/result.ts'
import { DAY_MS, instant, later, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { dayOf, type DayTotal, readAllTime, readDays } from '#server/back-office/dashboard/day-totals.queries.ts'
import { readExposure, type SpanExposure } from '#server/back-office/dashboard/exposure.queries.ts'
import { readFaults } from '#server/back-office/dashboard/fault-events.ts'
import { feedHealth } from '#server/back-office/dashboard/feed-health.ts'
import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import {
  countActive,
  countNewSince,
  readOpenStakes,
  readQueue,
  type WaitingQueue,
} from '#server/back-office/dashboard/summary.queries.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { RecentErrors } from '#server/platform/runtime/recent-errors.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickService } from '#server/market-data/ticks.ts'

export interface DashboardParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly engine: Pick<RunningEngine, 'takesOrders' | 'lastCheck'>
  readonly errors: Pick<RecentErrors, 'recent'>
  readonly faults: Pick<FaultRegistry, 'recent'>
}

const SHARED_MS = SECOND_MS
const WHOSE = { people: false, bots: true, all: null } as const

/** Registers the four independent parts of the dashboard. None of them names a user. */
export function dashboardRoutes(register: RegisterStaff, parts: DashboardParts): void {
  const { ctx } = parts
  const shared = { now: () => ctx.now(), ms: SHARED_MS }
  const summary = shareReply(shared, () => readSummary(parts))
  const days = shareReply(shared, (count) => lastDays(ctx, Number(count)))
  const exposure = shareReply(shared, (whose) => exposureOf(ctx, whose as keyof typeof WHOSE))

  register(staffCalls.staffDashboardSummary, async () => ok(await summary('')))
  register(staffCalls.staffDashboardDays, async ({ query }) => ok(await days(String(query.days))))
  register(staffCalls.staffDashboardExposure, async ({ query: { whose } }) => ok(await exposure(whose)))
  register(staffCalls.staffDashboardFeeds, async () => ok(await feedHealth(parts, ctx.db, ctx.now())))
}

async function readSummary({ ctx, engine, errors, faults }: DashboardParts): Promise<DashboardSummary> {
  const now = ctx.now()
  const all = await readAllTime(ctx.db, now)
  const today = await readDays(ctx.db, now, dayOf(now))
  const open = await readOpenStakes(ctx.db)
  const of = (isBot: boolean) => open.find((one) => one.isBot === isBot) ?? { orders: 0, stakes: money(0) }
  const accounts = (isBot: boolean) => all.rows.find((row) => row.kind === 'account' && row.isBot === isBot)?.count ?? 0
  const newDay = await countNewSince(ctx.db, later(now, -DAY_MS))
  const newWeek = await countNewSince(ctx.db, later(now, -7 * DAY_MS))
  const active = await countActive(ctx.db, now)
  const check = engine.lastCheck()
  return {
    is_complete: all.isComplete,
    users: {
      total: accounts(false),
      bots: accounts(true),
      new_day: newDay.people,
      new_week: newWeek.people,
      active_day: active.people,
      bots_new_day: newDay.bots,
      bots_new_week: newWeek.bots,
      bots_active_day: active.bots,
    },
    open: {
      orders: of(false).orders,
      stakes: moneyNumber(of(false).stakes),
      bot_orders: of(true).orders,
      bot_stakes: moneyNumber(of(true).stakes),
    },
    house: {
      today: moneyNumber(houseResult(today.rows, false)),
      total: moneyNumber(houseResult(all.rows, false)),
      bots_today: moneyNumber(houseResult(today.rows, true)),
      bots_total: moneyNumber(houseResult(all.rows, true)),
    },
    deposits: toQueueReply(await readQueue(ctx.db, 'deposit', now)),
    withdrawals: toQueueReply(await readQueue(ctx.db, 'withdrawal', now)),
    ledger: {
      state: check === null ? 'unchecked' : check.clean ? 'clean' : 'broken',
      checked_at: check === null ? null : toIso(check.at),
    },
    takes_orders: engine.takesOrders(),
    faults: await readFaults(ctx.db, now, faults.recent()),
    errors: errors.recent().map(({ message, count, lastAt }) => ({ message, count, last_at: toIso(lastAt) })),
  }
}

function houseResult(rows: readonly DayTotal[], isBot: boolean): Money {
  return money(rows.reduce((sum, row) => (row.isBot === isBot ? sum + row.result : sum), 0n))
}

function toQueueReply({ waiting, overdue, amount, oldestAt }: WaitingQueue): DashboardSummary['deposits'] {
  return { waiting, overdue, amount: moneyNumber(amount), oldest_at: oldestAt === null ? null : toIso(oldestAt) }
}

async function lastDays(ctx: Ctx, count: number): Promise<DashboardDays> {
  const today = dayOf(ctx.now())
  const first = today - count + 1
  const { isComplete, rows } = await readDays(ctx.db, ctx.now(), first)
  return {
    is_complete: isComplete,
    days: Array.from({ length: count }, (_, nth) => dateOf(first + nth)),
    rows: rows.map(({ day, kind, isBot, count: rowCount, amount, result }) => ({
      day: dateOf(day),
      kind,
      is_bot: isBot,
      count: rowCount,
      amount: moneyNumber(money(amount)),
      result: moneyNumber(money(result)),
    })),
  }
}

function dateOf(day: number): string {
  return toIso(instant(day * DAY_MS)).slice(0, 10)
}

async function exposureOf(ctx: Ctx, whose: keyof typeof WHOSE): Promise<Exposure> {
  const bySymbol = new Map<string, SpanExposure[]>()
  for (const span of await readExposure(ctx.db, ctx.now(), WHOSE[whose])) {
    bySymbol.set(span.code, [...(bySymbol.get(span.code) ?? []), span])
  }
  const symbols = [...bySymbol.values()].flatMap(toSymbolReply)
  return { symbols: symbols.toSorted((a, b) => a.worst - b.worst || a.code.localeCompare(b.code)) }
}

function toSymbolReply(spans: readonly SpanExposure[]): Exposure['symbols'] {
  const [any] = spans
  if (any === undefined) return []
  const sum = (pick: (span: SpanExposure) => bigint): number =>
    moneyNumber(money(spans.reduce((all, span) => all + pick(span), 0n)))
  const symbol = {
    code: any.code,
    market_type: any.marketType,
    orders: spans.reduce((all, { orders }) => all + orders, 0),
    stakes: sum(({ stakes }) => stakes),
    if_buys_win: sum(({ ifBuysWin }) => ifBuysWin),
    if_sells_win: sum(({ ifSellsWin }) => ifSellsWin),
    worst: sum(({ worst }) => worst),
    spans: EXPIRY_SPANS.flatMap((name) =>
      spans
        .filter(({ span }) => span === name)
        .map(({ span, orders, stakes, worst }) => ({
          span,
          orders,
          stakes: moneyNumber(stakes),
          worst: moneyNumber(worst),
        })),
    ),
  }
  return [symbol]
}
