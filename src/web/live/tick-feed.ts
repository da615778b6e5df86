import type { MarketType } from '#core/markets/market.ts'
import type { TickMessage } from '#contract/live/app-socket.ts'
import { isConnectionLost, type LiveTick, markLive, markStale, publishTick } from '#web/live/live-store.ts'
import { tickCode } from '#web/live/messages.ts'

/** The server accepts orders on prices up to this age. Older prices are not live. */
const AGE_LIMIT_MS = { crypto: 5_000, others: 15_000 }
const CHECK_MS = 1_000

/** Returns the maximum age of a live price in a market, in milliseconds. */
export function ageLimitMs(marketType: MarketType): number {
  return marketType === 'crypto' ? AGE_LIMIT_MS.crypto : AGE_LIMIT_MS.others
}

interface Waiting {
  tick: LiveTick
  ageLimitMs: number
}

/**
 * Writes ticks to the store at most once per frame; only the newest of each symbol counts. A hidden page has no frames,
 * so its newest ticks wait.
 */
export function createTickFeed(now: () => number, nextFrame: (draw: () => void) => void) {
  const waiting = new Map<string, Waiting>()
  const ageLimits = new Map<string, number>()
  let isScheduled = false

  function draw(): void {
    isScheduled = false
    for (const [code, { tick, ageLimitMs }] of waiting) {
      ageLimits.set(code, ageLimitMs)
      publishTick(code, { ...tick, stale: isConnectionLost() || now() - tick.time > ageLimitMs })
    }
    waiting.clear()
  }

  const isOld = (code: string, { time }: LiveTick): boolean =>
    now() - time > (ageLimits.get(code) ?? AGE_LIMIT_MS.crypto)

  return {
    take: (messages: readonly TickMessage[]) => {
      for (const message of messages) {
        const time = message.E ?? message.t
        if (time === undefined) continue
        const ageLimitMs = message.E === undefined ? AGE_LIMIT_MS.others : AGE_LIMIT_MS.crypto
        const tick = { price: message.c, change: message.P, time, stale: false, ...(message.past && { past: true }) }
        waiting.set(tickCode(message), { tick, ageLimitMs })
      }
      if (isScheduled || waiting.size === 0) return
      isScheduled = true
      nextFrame(draw)
    },
    /** Called after the connection has recovered: marks each stored price as live again if it is recent enough. */
    revive: () => markLive((code, tick) => !isOld(code, tick)),
    /** Marks prices that become too old during silence. Returns a function that stops it. */
    watchAge: () => {
      const timer = setInterval(() => markStale(isOld), CHECK_MS)
      return () => clearInterval(timer)
    },
  }
}
