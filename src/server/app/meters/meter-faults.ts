import type { FaultWatch } from '#server/platform/faults/create-fault-watch.ts'
import { FAULT_KINDS, type FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { TickService } from '#server/market-data/ticks.ts'

export interface FaultParts {
  readonly faults: Pick<FaultRegistry, 'has'>
  readonly watch: Pick<FaultWatch, 'trusted' | 'databaseSilentMs'>
  readonly ticks: Pick<TickService, 'aheadOfClockMs'>
}

/** Registers metrics for faults of the database and the clock: whether each fault exists, and how large it is. */
export function meterFaults({ faults, watch, ticks }: FaultParts, metrics: Metrics): void {
  metrics.figure(
    'fault',
    'Whether the database or the clock has a fault, by kind',
    () => FAULT_KINDS.map((kind) => [kind, Number(faults.has(kind))] as const),
    'kind',
  )
  metrics.figure(
    'database_silent_seconds',
    'Seconds since the last reply to a probe write, while there is none',
    () => watch.databaseSilentMs() / 1000,
  )
  metrics.figure(
    'clock_apart_seconds',
    'How far the clock of this server is ahead of the clock of the database',
    () => {
      const skewMs = watch.trusted?.skewMs() ?? null
      return skewMs === null ? Number.NaN : skewMs / 1000
    },
  )
  metrics.figure('clock_jump_seconds', 'How far the wall clock jumped ahead, while the time is not trusted', () => {
    const trouble = watch.trusted?.trouble() ?? null
    return trouble?.kind === 'jumped' ? trouble.ms / 1000 : 0
  })
  metrics.figure('tick_log_ahead_seconds', 'How far the newest price in the log is ahead of the clock', () =>
    Math.max(0, ticks.aheadOfClockMs() / 1000),
  )
}
