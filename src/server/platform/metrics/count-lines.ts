import type { Log } from '#server/platform/runtime/ports.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'

/** Counts warnings and errors. */
export function countLines(log: Log, { logLines }: Pick<Metrics, 'logLines'>): Log {
  return {
    debug: (facts, message) => log.debug(facts, message),
    info: (facts, message) => log.info(facts, message),
    warn(facts, message) {
      logLines.inc({ level: 'warn' })
      log.warn(facts, message)
    },
    error(facts, message) {
      logLines.inc({ level: 'error' })
      log.error(facts, message)
    },
  }
}
