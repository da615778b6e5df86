import { MIN_SPIKE_LIMIT } from '#core/markets/sources/price-distance.ts'
import { TICK_AGE_MS } from '#core/markets/tick.ts'
import { z } from 'zod'
import { MARKET_TYPES } from '#core/markets/market.ts'

/**
 * Limits for judging one symbol's sources. Times in milliseconds. Price distances are in basis points and in tick sizes, and the larger one
 * counts.
 */
const LIMITS = z.strictObject({
  /** A source without a message for this long is silent: the other source takes over. */
  silentAfterMs: z.int().min(250).max(60_000),
  /** A source whose newest message is older than this is late: the other source takes over. */
  lateAfterMs: z.int().min(250).max(60_000),
  /** How long the first source has to be healthy before it is used again. */
  backAfterMs: z.int().min(1_000).max(3_600_000),
  /** When two sources differ by more than this, one of them must be wrong, so the price is suspect. */
  divergenceBp: z.int().min(1).max(5_000),
  divergenceTicks: z.int().min(0).max(1_000),
  /** How long the sources have to agree before the price is trusted again. */
  agreeAfterMs: z.int().min(0).max(600_000),
  /** A price that differs from the previous one by more than this waits for a second price that confirms it. */
  spikeBp: z.int().min(MIN_SPIKE_LIMIT.bp).max(5_000),
  spikeTicks: z.int().min(MIN_SPIKE_LIMIT.ticks).max(1_000),
})

const DEFAULT_LIMITS: Limits = {
  silentAfterMs: 1_500,
  lateAfterMs: 2_000,
  backAfterMs: 15_000,
  divergenceBp: 100,
  // 3 tick sizes: rounding by the sources explains one, and a low price usually moves by one or two.
  divergenceTicks: 3,
  agreeAfterMs: 2_000,
  spikeBp: 100,
  spikeTicks: 3,
}

/** One provider: its protocol, and its address if not the public one. */
export const FEEDS_PROVIDER = z.strictObject({
  kind: z.enum(['binance', 'coinbase', 'coinbase-advanced', 'finnhub', 'ccxt']),
  url: z.url({ protocol: /^wss?$/ }).optional(),
  restUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The name of the environment variable that holds the key, never the key itself. */
  keyFrom: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .optional(),
  /** The exchange to use, for ccxt. */
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
  /** The display name. Required for symbols that are not shipped. */
  name: z.string().min(1).max(80).optional(),
  marketType: z.enum(MARKET_TYPES).optional(),
  /** The smallest step of the symbol's price, such as 0.01: a power of ten. */
  tickSize: z
    .string()
    .regex(/^(?:1|0\.0{0,7}1)$/)
    .optional(),
  maxTickAgeMs: z.int().min(TICK_AGE_MS.min).max(300_000).optional(),
  /** The first source is used, the second is the standby. */
  sources: z.array(SOURCE).min(1).max(2),
  limits: LIMITS.partial().optional(),
})

/** The sources of real prices: one readable file. */
export const FEEDS_FILE = z.strictObject({
  /** Keyed by provider name, which is stored with every tick in the log. */
  providers: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), FEEDS_PROVIDER),
  limits: LIMITS.partial().optional(),
  symbols: z.array(FEEDS_SYMBOL).min(1),
})

export type FeedsFile = z.output<typeof FEEDS_FILE>
export type FeedsFileSymbol = z.output<typeof FEEDS_SYMBOL>
export type FeedsFileProvider = z.output<typeof FEEDS_PROVIDER>
export type Limits = z.output<typeof LIMITS>

/** The limits of a symbol: its own limits, else those of the file, else the defaults. */
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
