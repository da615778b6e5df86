import type { MarketType } from '#core/markets/market.ts'
import type { TickMessage } from '#contract/live/app-socket.ts'
import { type LiveTick, markStale, publishTick } from '#web/live/live-store.ts'
import { tickCode } from '#web/live/messages.ts'

/** How old the newest price may be for the server to take an order on it; older is not live. */
const AGE_LIMIT_MS = { crypto: 5_000, others: 15_000 }
const CHECK_MS = 1_000

/** How old a price of a market may be before it counts no more. */
export function ageLimitMs(marketType: MarketType): number {
  return marketType === 'crypto' ? AGE_LIMIT_MS.crypto : AGE_LIMIT_MS.others
}

interface Waiting {
  tick: LiveTick
  ageLimitMs: number
}

/**
 * Puts ticks into the store at most once per frame: what comes in between is overtaken unseen. While the page is
 * hidden no frames come, and none are needed; the newest tick of each symbol waits.
 */
export function createTickFeed(now: () => number, nextFrame: (draw: () => void) => void) {
  const waiting = new Map<string, Waiting>()
  const ageLimits = new Map<string, number>()
  let isAsked = false

  function draw(): void {
    isAsked = false
    for (const [code, { tick, ageLimitMs }] of waiting) {
      ageLimits.set(code, ageLimitMs)
      publishTick(code, { ...tick, stale: now() - tick.time > ageLimitMs })
    }
    waiting.clear()
  }

  return {
    take: (messages: readonly TickMessage[]) => {
      for (const message of messages) {
        const time = message.E ?? message.t
        if (time === undefined) continue
        const ageLimitMs = message.E === undefined ? AGE_LIMIT_MS.others : AGE_LIMIT_MS.crypto
        const tick = { price: message.c, change: message.P, time, stale: false, ...(message.past && { past: true }) }
        waiting.set(tickCode(message), { tick, ageLimitMs })
      }
      if (isAsked || waiting.size === 0) return
      isAsked = true
      nextFrame(draw)
    },
    /** Looks for prices that grew old while nothing came; answers how to stop. */
    watchAge: () => {
      const timer = setInterval(
        () => markStale((code, { time }) => now() - time > (ageLimits.get(code) ?? AGE_LIMIT_MS.crypto)),
        CHECK_MS,
      )
      return () => clearInterval(timer)
    },
  }
}
