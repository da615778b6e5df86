import type { LeftOutReason } from '#core/markets/log-text.ts'
import { below, between, isLikely, oneOf } from './chance.ts'
import type { Price } from './log-writer.ts'

export const SYMBOL = { symbol: 'BTC', symbol_id: 1, market: 'crypto', decimals: 2 } as const
const OTHER_SYMBOL = 2
export const BEGINS_MS = Date.UTC(2026, 2, 18, 12)

/**
 * A trade of the source, with its fate when it arrived at the log: a tick, missing, or left out for a reason. A trade
 * with the fate `absent` was never made.
 */
export interface Trade {
  readonly price: Price
  readonly fate: 'tick' | 'missing' | LeftOutReason
}

/** A period without trades, or without trades that arrived. */
export interface Silence {
  readonly fromMs: number
  readonly toMs: number
  /** Whether trades were made that the log did not receive. */
  readonly isLost: boolean
}

const FATES = ['spike', 'session', 'number', 'back', 'absent', 'doubt', 'lost', 'missing'] as const

/** Generates all trades of a source in order of its numbers. Sources without numbers have no `ref`. */
export function randomTrades(facts: {
  readonly source: string
  readonly hasNumbers: boolean
  readonly untilMs: number
  readonly silences: readonly Silence[]
  /** How many of a hundred trades make no tick. */
  readonly left: number
}): Trade[] {
  const { source, hasNumbers, untilMs, silences, left } = facts
  const trades: Trade[] = []
  const [pace, step] = [oneOf([300, 900, 2_000]), oneOf([1, 3, 40, 5_000])]
  let [ref, timeMs, price] = [below(1_000_000), BEGINS_MS, 9_400_000]
  const isIn = (silence: Silence) => timeMs >= silence.fromMs && timeMs < silence.toMs
  while (timeMs < untilMs) {
    timeMs += isLikely(10) ? 0 : between(1, 2 * pace)
    ref += 1
    price = Math.max(1, price + between(-step, step))
    const silence = silences.find(isIn)
    if (silence !== undefined && !silence.isLost) {
      timeMs = silence.toMs
      continue
    }
    const fate = silence ? 'missing' : hasNumbers && isLikely(left) ? oneOf(FATES) : 'tick'
    // Late evidence can show that a tick was earlier than a tick with a lower number.
    const shiftMs = fate === 'back' ? -between(2_000, 4_000) : fate === 'missing' && isLikely(20) ? 1_500 : 0
    const receivedMs = Math.max(trades.at(-1)?.price.receivedMs ?? 0, timeMs + between(-20, 400))
    const own = {
      symbolId: SYMBOL.symbol_id,
      price,
      timeMs: timeMs + shiftMs,
      receivedMs,
      source,
      ref: hasNumbers ? ref : null,
    }
    trades.push({ price: own, fate })
  }
  return trades
}

/** Ticks of another symbol between the ticks of the order. */
export function otherTicks(untilMs: number): Price[] {
  const ticks: Price[] = []
  const pace = oneOf([700, 5_000, 20_000])
  for (let timeMs = BEGINS_MS; timeMs < untilMs; timeMs += between(1, pace)) {
    const receivedMs = Math.max(ticks.at(-1)?.receivedMs ?? 0, timeMs + between(0, 900))
    ticks.push({ symbolId: OTHER_SYMBOL, price: between(1, 999), timeMs, receivedMs, source: 'other', ref: null })
  }
  return ticks
}
