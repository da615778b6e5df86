import { addUnused, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { IncidentNote } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import type { ProviderRoutes } from '#server/market-data/feeds/multi-source/provider-routes.ts'
import type { ProviderTrouble } from '#server/market-data/feeds/providers/provider.ts'

const LOG_EVERY_MS = 10_000

export interface ProblemLog {
  (provider: string, trouble: ProviderTrouble, now: Instant): void
  /** Logs the counts since the last call, if there are any. */
  counts(unused: readonly Readonly<UnusedTradeCounts>[]): void
}

/**
 * Records problems that providers report. All problems are logged at intervals, and lost messages are also recorded as
 * incidents.
 */
export function createProblemLog(options: {
  readonly log: Log
  readonly routes: ProviderRoutes
  readonly onIncident: (incident: IncidentNote) => void
}): ProblemLog {
  const { log, routes, onIncident } = options
  const loggedAt = new Map<string, Instant>()
  let counted = ''

  function report(provider: string, trouble: ProviderTrouble, now: Instant): void {
    const key = `${provider} ${trouble.kind}`
    if (now - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= LOG_EVERY_MS) {
      loggedAt.set(key, now)
      log.warn({ provider, ...trouble }, 'a price provider reported a problem')
    }
    if (trouble.kind !== 'lost') return
    const about = { phase: 'happened', kind: 'lost', source: provider, at: now, detail: trouble.why } as const
    const ours = trouble.symbol === null ? [] : routes.of(provider, trouble.symbol)
    if (ours.length === 0) onIncident({ ...about, symbolId: null })
    for (const { followed } of ours) onIncident({ ...about, symbolId: followed.id })
  }

  return Object.assign(report, {
    counts(unused: readonly Readonly<UnusedTradeCounts>[]) {
      const total = addUnused(unused)
      const text = JSON.stringify(total)
      if (text === counted || text === '{}') return
      counted = text
      log.info({ quotes: total }, 'quotes that made no price so far')
    },
  })
}
