import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { BundleCheck } from '#core/proof/check-bundle.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'

/** A price to draw, in whole units of the currency. */
export interface DrawnPrice {
  readonly timeMs: number
  readonly price: number
}

export interface DrawnPrices {
  /** All prices, in the order of the tick log. */
  readonly all: readonly DrawnPrice[]
  /** The parts of the tick log that were verified against a hash in the receipt. No tick of such a part is missing. */
  readonly checked: readonly (readonly DrawnPrice[])[]
  /** Whether all prices were verified. */
  readonly isWhole: boolean
}

/**
 * Joins the verified ticks with the thinned, unverified line around them. Points of the line within a verified part are
 * left out, because its ticks are known.
 */
export function drawnPrices(
  check: BundleCheck,
  line: readonly LinePoint[],
  logs: readonly (readonly LogBatch[])[],
): DrawnPrices {
  const decimals = check.facts?.decimals ?? 0
  const ticks = [...new Map(check.ticks.map((tick) => [tick.q, tick])).values()].toSorted((a, b) => a.q - b.q)
  const stretches = ticks.length === 0 ? [] : joined(logs)
  const toDrawn = ({ timeMs, price }: (typeof ticks)[number]) => ({ timeMs, price: price / 10 ** decimals })
  const loose = line.filter(({ q }) => !stretches.some((stretch) => isIn(stretch, q)))
  const all = [
    ...ticks.map((tick) => ({ q: tick.q, drawn: toDrawn(tick) })),
    ...loose.map(({ q, time_ms: timeMs, price }) => ({ q, drawn: { timeMs, price } })),
  ]
  return {
    all: all.toSorted((a, b) => a.q - b.q).map(({ drawn }) => drawn),
    checked: stretches.map((stretch) => ticks.filter(({ q }) => isIn(stretch, q)).map(toDrawn)),
    isWhole: loose.length === 0,
  }
}

interface Stretch {
  readonly from: number
  readonly to: number
}

function isIn({ from, to }: Stretch, q: number): boolean {
  return q >= from && q <= to
}

/**
 * Returns the ranges of sequence numbers that the verified parts of the tick log cover. Ranges that overlap or touch
 * are merged.
 */
function joined(logs: readonly (readonly LogBatch[])[]): Stretch[] {
  const pieces = logs
    .map((log) => ({ from: log[0]?.first_seq ?? 0, to: log.at(-1)?.last_seq ?? -1 }))
    .filter(({ from, to }) => to >= from)
    .toSorted((a, b) => a.from - b.from)
  const stretches: Stretch[] = []
  for (const one of pieces) {
    const last = stretches.at(-1)
    if (last !== undefined && one.from <= last.to + 1) {
      stretches.splice(-1, 1, { from: last.from, to: Math.max(last.to, one.to) })
    } else stretches.push(one)
  }
  return stretches
}
