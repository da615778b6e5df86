import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PublicTrade } from '#contract/markets.ts'
import { call } from '#web/api/call.ts'

const FIRST_LOAD = 15
const POLL_MS = 2_000
/** Asked for in each poll: more than one, so that a busy two seconds lose none. */
const NEXT_LOAD = 5

/** The newest public orders of a symbol: fifteen at first, then the newest every 2 s in place of the oldest. */
export function usePublicTrades(code: string, enabled: boolean) {
  const client = useQueryClient()
  const queryKey = ['POST /user/latest_trades', code]
  return useQuery({
    queryKey,
    enabled,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<PublicTrade[]>(queryKey) ?? []
      const count = known.length === 0 ? FIRST_LOAD : NEXT_LOAD
      const { data } = await call('POST /user/latest_trades', { body: { currency: code, count }, signal })
      const ids = new Set(data.trades.map(({ id }) => id))
      return [...data.trades, ...known.filter(({ id }) => !ids.has(id))].slice(0, FIRST_LOAD)
    },
    refetchInterval: POLL_MS,
  })
}
