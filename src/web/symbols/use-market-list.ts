import { useEffect } from 'react'
import { useCallQuery } from '#web/api/query.tsx'
import { noteAgeLimits } from '#web/live/live-client.ts'

/** Loads the market list, and again after each `everyMs`. The maximum price ages in it decide which prices are live. */
export function useMarketList(everyMs: number) {
  const query = useCallQuery('GET /user/crypto-currency/list', {}, { everyMs })
  const symbols = query.data?.data.currencies
  useEffect(() => {
    if (symbols !== undefined) noteAgeLimits(symbols)
  }, [symbols])
  return query
}
