import type { TickOut } from '#contract/trades.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { useAccount } from '#web/session/account.ts'
import type { EndTicks, TimedPrice } from '#web/receipts/order-times.tsx'

const NEXT_TICK_MS = 1_000
/** 300 requests take five minutes. Then the requests stop, because a market that has closed has no next tick. */
const MAX_ASKS = 300

/**
 * Returns the ticks at the end of the user's order. A heartbeat can settle an order before the next tick, which is then
 * requested until it arrives.
 */
export function useDecidingTicks(id: string, exitPrice: number | null): EndTicks {
  const query = useCallQuery(
    'GET /user/trade/:id',
    { params: { id }, query: { account: useAccount() } },
    { everyMs: NEXT_TICK_MS, until: ({ ticks }, answers) => ticks.next !== null || answers >= MAX_ASKS },
  )
  const ticks = query.data?.data.ticks
  return {
    exit: exitPrice === null ? null : { price: exitPrice, timeMs: ticks?.exit?.time_ms ?? null },
    next: ticks && ticks.next && timed(ticks.next),
  }
}

function timed({ price, time_ms: timeMs }: TickOut): TimedPrice {
  return { price, timeMs }
}
