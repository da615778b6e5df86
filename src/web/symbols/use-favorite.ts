import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Success } from '#contract/call.ts'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { call } from '#web/api/call.ts'
import { callKey } from '#web/api/query.tsx'
import { withFavorite } from '#web/symbols/market-rules.ts'
import { useGo } from '#web/shell/navigation.ts'
import { useSession } from '#web/shell/session.ts'
import { keepReturnPath } from '#web/shell/visit.ts'

/** Turns the favourite mark of a symbol; visitors are asked to log in first. */
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
  const { mutate } = useMutation({
    mutationFn: (item: SymbolItem) =>
      call('POST /user/crypto-currency/favorite', { body: { crypto_currency_id: item.id } }),
    onMutate: (item) => show({ id: item.id, isFavorite: !item.isFavorite }),
    onSuccess: ({ data }) => show({ id: data.crypto_currency_id, isFavorite: data.isFavorite }),
    // Silent, as specified: the star goes back to what it was.
    onError: (_, item) => show({ id: item.id, isFavorite: item.isFavorite }),
  })
  return (item) => {
    if (isSignedIn) {
      mutate(item)
      return
    }
    keepReturnPath('/market')
    go('/login')
  }
}
