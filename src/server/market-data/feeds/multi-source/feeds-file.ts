import { TICK_AGE_MS } from '#core/markets/tick.ts'
import { z } from 'zod'
import { MARKET_TYPES } from '#core/markets/market.ts'

/** Limits by which one symbol's sources are judged. Times in milliseconds; a distance between prices in basis points and in tick sizes: the larger one counts. */
const LIMITS = z.strictObject({
  /** A source that says nothing for so long is silent: the other one takes over. */
  silentAfterMs: z.int().min(250).max(60_000),
  /** A source whose newest word is older than this, by the clock, is late: the other one takes over. */
  lateAfterMs: z.int().min(250).max(60_000),
  /** The first source has to be well for so long before it is used again. */
  backAfterMs: z.int().min(1_000).max(3_600_000),
  /** Two sources that are further apart than this cannot both be right: neither is believed. */
  divergenceBp: z.int().min(1).max(5_000),
  divergenceTicks: z.int().min(0).max(1_000),
  /** They have to agree for so long before they are believed again. */
  agreeAfterMs: z.int().min(0).max(600_000),
  /** A price further from the one before than this waits for another that confirms it. */
  spikeBp: z.int().min(1).max(5_000),
  spikeTicks: z.int().min(0).max(1_000),
})

const DEFAULT_LIMITS: Limits = {
  silentAfterMs: 1_500,
  lateAfterMs: 2_000,
  backAfterMs: 15_000,
  divergenceBp: 100,
  // A few: the sources' own rounding takes one, and a price of few units moves by one or two at once.
  divergenceTicks: 3,
  agreeAfterMs: 2_000,
  spikeBp: 100,
  spikeTicks: 3,
}

/** One provider: what it speaks, and where it is if not at its public address. */
export const FEEDS_PROVIDER = z.strictObject({
  kind: z.enum(['binance', 'coinbase', 'coinbase-advanced', 'finnhub', 'ccxt']),
  url: z.url({ protocol: /^wss?$/ }).optional(),
  restUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The name of the environment variable that holds the key, never the key itself. */
  keyFrom: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .optional(),
  /** Which of its exchanges, for ccxt. */
  exchange: z
    .string()
    .regex(/^[a-z0-9]{2,40}$/)
    .optional(),
})

const SOURCE = z.strictObject({
  provider: z.string(),
  symbol: z.string().min(1).max(60),
  channel: z.enum(['trade', 'ticker']).default('trade'),
})

/** One symbol and its sources. */
export const FEEDS_SYMBOL = z.strictObject({
  code: z.string().regex(/^[A-Z0-9]{1,20}$/),
  /** Only for symbols that we do not ship. */
  name: z.string().min(1).max(80).optional(),
  marketType: z.enum(MARKET_TYPES).optional(),
  /** The smallest step of its price, such as 0.01: a power of ten. */
  tickSize: z
    .string()
    .regex(/^(?:1|0\.0{0,7}1)$/)
    .optional(),
  maxTickAgeMs: z.int().min(TICK_AGE_MS.min).max(300_000).optional(),
  /** The first is used, the second stands by. */
  sources: z.array(SOURCE).min(1).max(2),
  limits: LIMITS.partial().optional(),
})

/** Where real prices come from: one readable file. */
export const FEEDS_FILE = z.strictObject({
  /** By the name that stands beside every tick in the log. */
  providers: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), FEEDS_PROVIDER),
  limits: LIMITS.partial().optional(),
  symbols: z.array(FEEDS_SYMBOL).min(1),
})

export type FeedsFile = z.output<typeof FEEDS_FILE>
export type FeedsFileSymbol = z.output<typeof FEEDS_SYMBOL>
export type FeedsFileProvider = z.output<typeof FEEDS_PROVIDER>
export type Limits = z.output<typeof LIMITS>

/** The limits that hold for a symbol: its own, else the file's, else ours. */
export function limitsOf(file: Pick<FeedsFile, 'limits'>, symbol: Pick<FeedsFileSymbol, 'limits'>): Limits {
  const limit = (name: keyof Limits): number => symbol.limits?.[name] ?? file.limits?.[name] ?? DEFAULT_LIMITS[name]
  return {
    silentAfterMs: limit('silentAfterMs'),
    lateAfterMs: limit('lateAfterMs'),
    backAfterMs: limit('backAfterMs'),
    divergenceBp: limit('divergenceBp'),
    divergenceTicks: limit('divergenceTicks'),
    agreeAfterMs: limit('agreeAfterMs'),
    spikeBp: limit('spikeBp'),
    spikeTicks: limit('spikeTicks'),
  }
}
