import { useQueryClient } from '@tanstack/react-query'
import type { Success } from '#contract/call.ts'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { call } from '#web/api/call.ts'
import { callKey } from '#web/api/query.tsx'
import { withFavorite } from '#web/symbols/market-rules.ts'
import { useGo } from '#web/session/navigation.ts'
import { useSession } from '#web/session/session.ts'
import { keepReturnPath } from '#web/session/visit.ts'

/** Returns a function that toggles a symbol as favorite. Visitors are sent to the log-in first. */
export function useFavorite(): (item: SymbolItem) => void {
  const client = useQueryClient()
  const go = useGo()
  const isSignedIn = useSession() !== null
  const show = (change: { id: number; isFavorite: boolean }) => {
    client.setQueryData<Success<MarketList>>(
      callKey('GET /user/crypto-currency/list', {}),
      (known) => known && { ...known, data: withFavorite(known.data, change) },
    )
  }
  const turn = async (item: SymbolItem): Promise<void> => {
    show({ id: item.id, isFavorite: !item.isFavorite })
    try {
      const { data } = await call('POST /user/crypto-currency/favorite', { body: { crypto_currency_id: item.id } })
      show({ id: data.crypto_currency_id, isFavorite: data.isFavorite })
    } catch {
      // Silent, as specified: the star returns to its previous state.
      show({ id: item.id, isFavorite: item.isFavorite })
    }
  }
  return (item) => {
    if (isSignedIn) {
      void turn(item)
      return
    }
    keepReturnPath('/market')
    go('/login')
  }
}
