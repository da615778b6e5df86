import type { LogLine, PlacedLine } from '#core/markets/log-text.ts'

export interface ComputedFacts {
  readonly symbolId: number
  readonly source: string
  readonly expiresMs: number
  readonly maxTickAgeMs: number
}

/** The prices around an expiry. `exit` is null when the last price before the expiry is too old. */
export interface ComputedDecision {
  readonly exit: PlacedLine | null
  readonly next: PlacedLine | null
}

/**
 * Decides an expiry of a computed source by all its prices in the log, late evidence included. Prices with the same
 * time keep their order in the log.
 */
export function decideByComputation(lines: readonly LogLine[], facts: ComputedFacts): ComputedDecision {
  const { symbolId, source, expiresMs, maxTickAgeMs } = facts
  const prices = lines
    .filter((line): line is PlacedLine => line.kind === 't' || line.kind === 'e')
    .filter((line) => line.symbolId === symbolId && line.source === source)
    .toSorted((a, b) => a.timeMs - b.timeMs || a.q - b.q)
  const last = prices.findLast(({ timeMs }) => timeMs <= expiresMs) ?? null
  const next = prices.find(({ timeMs }) => timeMs > expiresMs) ?? null
  const isInTime = last !== null && last.timeMs >= expiresMs - maxTickAgeMs
  return { exit: isInTime ? last : null, next }
}
