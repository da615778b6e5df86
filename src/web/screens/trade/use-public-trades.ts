import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PublicTrade } from '#contract/markets.ts'
import { call } from '#web/api/call.ts'
import { latestTick } from '#web/live/live-store.ts'

/** As specified: 15 orders at first. Then the newest order is loaded every 2 s and replaces the oldest order. */
const FIRST_LOAD = 15
const NEXT_LOAD = 1
const POLL_MS = 2_000

/** Returns the public orders of a symbol, newest first. */
export function usePublicTrades(code: string, enabled: boolean) {
  const client = useQueryClient()
  const queryKey = ['POST /user/latest_trades', code]
  return useQuery({
    queryKey,
    enabled,
    queryFn: async ({ signal }) => {
      const load = async (count: number) => {
        const body = { currency: code, price: latestTick(code)?.price ?? null, count }
        return (await call('POST /user/latest_trades', { body, signal })).data
      }
      const known = client.getQueryData<PublicTrade[]>(queryKey) ?? []
      if (known.length === 0) return (await load(FIRST_LOAD)).trades
      const { trades, older_id: olderId } = await load(NEXT_LOAD)
      const isKnown = (id: string) => known.some((one) => one.id === id)
      const added = trades.filter(({ id }) => !isKnown(id))
      if (added.length === 0) return known
      // Several orders are new, so more are requested to fill the gap.
      if (olderId !== null && !isKnown(olderId)) return (await load(FIRST_LOAD)).trades
      return [...added, ...known].slice(0, FIRST_LOAD)
    },
    refetchInterval: POLL_MS,
  })
}
