import type { MarketType } from '#core/markets/market.ts'
import type { SymbolItem } from '#contract/markets.ts'
import type { TickMessage } from '#contract/live/app-socket.ts'
import { isConnectionLost, type LiveTick, markLive, markStale, publishTick } from '#web/live/live-store.ts'
import { tickCode } from '#web/live/messages.ts'

/** The maximum age of a live price before the market list is loaded. */
const AGE_LIMIT_MS = { crypto: 5_000, others: 15_000 }
const CHECK_MS = 1_000

/** The announced maximum ages by plain code. The server refuses orders on older prices, so these are not live. */
const announced = new Map<string, number>()

/** Takes the maximum ages of the market list. */
export function setAgeLimits(symbols: readonly Pick<SymbolItem, 'symbol' | 'max_tick_age_ms'>[]): void {
  for (const { symbol, max_tick_age_ms: ms } of symbols) {
    // A list that was stored before an update of the site has no ages.
    if (ms > 0) announced.set(symbol, ms)
  }
}

/** Returns the maximum age of a live price of a symbol, in milliseconds. */
export function ageLimitMs(code: string, marketType: MarketType): number {
  return announced.get(code) ?? (marketType === 'crypto' ? AGE_LIMIT_MS.crypto : AGE_LIMIT_MS.others)
}

interface Waiting {
  tick: LiveTick
  isCrypto: boolean
}

/**
 * Writes ticks to the store at most once per frame; only the newest of each symbol counts. A hidden page has no frames,
 * so its newest ticks wait.
 */
export function createTickFeed(now: () => number, nextFrame: (draw: () => void) => void) {
  const waiting = new Map<string, Waiting>()
  const cryptos = new Set<string>()
  let isScheduled = false

  function draw(): void {
    isScheduled = false
    for (const [code, { tick, isCrypto }] of waiting) {
      if (isCrypto) cryptos.add(code)
      publishTick(code, { ...tick, stale: isConnectionLost() || isOld(code, tick) })
    }
    waiting.clear()
  }

  function isOld(code: string, { time }: LiveTick): boolean {
    return now() - time > ageLimitMs(code, cryptos.has(code) ? 'crypto' : 'us_stocks')
  }

  return {
    take: (messages: readonly TickMessage[]) => {
      for (const message of messages) {
        const time = message.E ?? message.t
        if (time === undefined) continue
        const tick = { price: message.c, change: message.P, time, stale: false, ...(message.past && { past: true }) }
        waiting.set(tickCode(message), { tick, isCrypto: message.E !== undefined })
      }
      if (isScheduled || waiting.size === 0) return
      isScheduled = true
      nextFrame(draw)
    },
    /** Called after the connection has recovered or the limits have changed: marks each stored price as live again if it is recent enough. */
    revive: () => markLive((code, tick) => !isOld(code, tick)),
    /** Marks prices that become too old during silence. Returns a function that stops it. */
    watchAge: () => {
      const timer = setInterval(() => markStale(isOld), CHECK_MS)
      return () => clearInterval(timer)
    },
  }
}
