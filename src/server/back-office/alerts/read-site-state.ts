import { areAddressesJudged } from '#core/accounts/country-rules.ts'
import type { SiteState } from '#core/alerts/alert-rules.ts'
import { capsInForce } from '#core/markets/caps/caps.ts'
import { shareHalfEven, ZERO } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { countFailingMails, listNewDevices, listWaitingChanges } from '#server/back-office/alerts/site-state.queries.ts'
import { listVoidOrders, readQueue, type WaitingQueue } from '#server/back-office/dashboard/summary.queries.ts'
import { readChecks } from '#server/back-office/reports/closed-reports.queries.ts'
import { readTicketQueue } from '#server/back-office/tickets/tickets.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { isSymbolOpen } from '#server/market-data/hours/market-status.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { tableAgeDays } from '#server/platform/countries/address-countries.ts'
import type { CountrySources } from '#server/platform/countries/client-country.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { downtimes, runEnds } from '#server/platform/faults/run-history.ts'
import { listRuns } from '#server/platform/faults/server-run.queries.ts'
import type { RecentErrors } from '#server/platform/runtime/recent-errors.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { readCapUse } from '#server/trading/caps/cap-use.queries.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'

export interface SiteStateParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly countries: Pick<CountrySources, 'builtAt' | 'source' | 'header'>
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<TickService, 'latest' | 'doubt'>
  readonly engine: Pick<RunningEngine, 'takesOrders' | 'lastCheck'>
  readonly errors: Pick<RecentErrors, 'recent'>
  readonly faults: Pick<FaultRegistry, 'recent'>
}

/**
 * Reads the state that the alert rules check. The caller passes the same `badSince` to each call. It stores, by symbol,
 * since when the symbol has had no good price.
 */
export async function readSiteState(parts: SiteStateParts, badSince: Map<number, number>): Promise<SiteState> {
  const { ctx, engine, errors, faults, countries, settings } = parts
  const { db } = ctx
  const now = ctx.now()
  const yesterday = later(now, -DAY_MS)
  const needsCountries = areAddressesJudged(settings.current.countryRules)
  const runs = await listRuns(db, yesterday)
  const down = downtimes(runs, now)
  const crashes = runEnds(runs, now).filter(({ how, at }) => how === 'crash' && at >= yesterday)
  return {
    ledgerDiffers: engine.lastCheck()?.clean === false,
    reportDifferences: await readChecks(db),
    takesOrders: engine.takesOrders(),
    faults: faults.recent().flatMap(({ kind, until }) => (until === null ? [kind] : [])),
    crashes: crashes.map(({ run, name, at }) => ({
      run,
      server: name,
      downSeconds: down
        .filter(({ from }) => from === at)
        .reduce((sum, { from, until }) => sum + Math.round((until - from) / SECOND_MS), 0),
    })),
    voids: (await listVoidOrders(db, later(now, -HOUR_MS))).reduce((sum, { orders }) => sum + orders, 0),
    feeds: lateFeeds(parts, badSince),
    caps: await readCapStates(parts),
    withdrawals: queueState(await readQueue(db, 'withdrawal', now), now),
    deposits: queueState(await readQueue(db, 'deposit', now), now),
    tickets: ticketState(await readTicketQueue(db), now),
    areCountriesMissing: needsCountries && countries.source === 'none' && countries.header === null,
    countryTableDays: needsCountries ? tableAgeDays(countries, now) : null,
    errors: errors.recent().filter(({ lastAt }) => now - lastAt < HOUR_MS).length,
    failingMails: await countFailingMails(db),
    newDevices: await listNewDevices(db, yesterday),
    changes: await listWaitingChanges(db),
  }
}

/** Lists symbols in an open session with an old or suspect price, and since when this server has seen that state. */
function lateFeeds({ ctx, catalogue, ticks }: SiteStateParts, badSince: Map<number, number>): SiteState['feeds'] {
  const now = ctx.now()
  return catalogue.symbols.flatMap((symbol) => {
    const isOld = now - (ticks.latest(symbol.id)?.time ?? 0) > symbol.maxTickAgeMs
    if (!isSymbolOpen(catalogue, symbol, now) || !(isOld || ticks.doubt(symbol.id) !== null)) {
      badSince.delete(symbol.id)
      return []
    }
    const since = badSince.get(symbol.id) ?? ctx.clock.steady()
    badSince.set(symbol.id, since)
    return [{ code: symbol.code, minutes: Math.floor((ctx.clock.steady() - since) / MINUTE_MS) }]
  })
}

/** Reads how full the caps in force are for orders of users. Orders of bots raise no alert. */
async function readCapStates({ ctx, catalogue }: SiteStateParts): Promise<SiteState['caps']> {
  const caps = capsInForce(catalogue.terms, ctx.now())
  if (caps.size === 0) return []
  const uses = await readCapUse(ctx.db)
  const smallest = catalogue.settings.map(({ minimum, payout }) => shareHalfEven(minimum, payout))
  return [...caps].map(([of, { maximum }]) => {
    const use = uses.find((one) => one.of === of && !one.isBot)
    const used = use === undefined ? ZERO : use.buys > use.sells ? use.buys : use.sells
    return {
      of,
      percent: (Number(used) / Number(maximum)) * 100,
      isFull: smallest.length > 0 && smallest.every((profit) => used + profit > maximum),
    }
  })
}

function queueState({ waiting, oldestAt, amount }: WaitingQueue, now: Instant): SiteState['deposits'] {
  const oldestMinutes = oldestAt === null ? 0 : Math.floor((now - oldestAt) / MINUTE_MS)
  return { waiting, oldestMinutes, amount: Number(amount) }
}

function ticketState(
  { waiting, oldestAt }: Awaited<ReturnType<typeof readTicketQueue>>,
  now: Instant,
): SiteState['tickets'] {
  return { waiting, oldestHours: oldestAt === null ? 0 : Math.floor((now - oldestAt) / HOUR_MS) }
}
