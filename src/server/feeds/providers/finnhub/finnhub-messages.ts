import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import { readJson } from '#server/feeds/providers/exact-json.ts'
import { fit, PRICE, SYMBOL, TIME_MS, VOLUME } from '#server/feeds/providers/message-parts.ts'

/** What a message of Finnhub says to us. */
export type FinnhubMessage =
  /** Ascending in time; of trades of one millisecond the order in which they were sent. */
  | { readonly kind: 'trades'; readonly trades: readonly FinnhubTrade[] }
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  /** A ping, or something that we did not ask for. */
  | { readonly kind: 'ignored' }

export interface FinnhubTrade {
  readonly symbol: string
  readonly price: string
  readonly volume: string
  readonly time: Instant
  /** Before or after the regular session of the stock market. */
  readonly isExtended: boolean
}

/** Among the conditions of a trade. */
const EXTENDED_HOURS = '24'

const ENVELOPE = z.object({ type: z.string() })

const TRADE = z.object({ s: SYMBOL, p: PRICE, v: VOLUME, t: TIME_MS, c: z.array(z.string()).nullish() })

const TRADES = z.object({ data: z.array(TRADE) })

const ERROR = z.object({ msg: z.string().max(300) })

const NAMED = /^Invalid symbol (\S.*)$/i

/** Reads one message; throws `Unreadable`. */
export function readFinnhubMessage(text: string): FinnhubMessage {
  const message = readJson(text)
  const { type } = fit(ENVELOPE, message, 'message')
  switch (type) {
    case 'trade':
      return { kind: 'trades', trades: ascending(fit(TRADES, message, type)) }
    case 'error': {
      const { msg: why } = fit(ERROR, message, type)
      return { kind: 'refused', symbol: NAMED.exec(why)?.[1] ?? null, why }
    }
    default:
      return { kind: 'ignored' }
  }
}

/** Times run back inside a frame, so its trades are put in order; `toSorted` keeps the order of equal times. */
function ascending({ data }: z.output<typeof TRADES>): FinnhubTrade[] {
  return data
    .map(({ s: symbol, p: price, v: volume, t: time, c }) => ({
      symbol,
      price,
      volume,
      time,
      isExtended: c?.includes(EXTENDED_HOURS) ?? false,
    }))
    .toSorted((a, b) => a.time - b.time)
}
