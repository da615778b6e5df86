import { useEffect } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { asOf } from '#web/screens/trade/price-header.tsx'
import { onMarketsChange, onResync } from '#web/live/live-client.ts'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { TradeDesk } from '#web/screens/trade/trade-desk.tsx'
import { MainHeader } from '#web/shell/headers.tsx'
import { onAccountChange, useAccount } from '#web/session/account.ts'
import { useSession } from '#web/session/session.ts'
import { useReceiptOfUnlisted } from '#web/screens/trade/use-result-address.ts'
import { type Go, useGo } from '#web/session/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { useMarketList } from '#web/symbols/use-market-list.ts'

/** Interval for the day's figures, hours and settings. The socket delivers prices. */
const REFRESH_MS = 30_000
const LAST_USED = 'last_symbol'

export const TradeScreen = withData(Trade)

/**
 * Shows the symbol of the address. If the address has no symbol, it redirects to the last used or the first featured
 * symbol.
 */
function Trade({ params }: ScreenProps) {
  const query = useMarketList(REFRESH_MS)
  const go = useGo()
  const { refetch } = query
  useEffect(() => onResync(() => void refetch()), [refetch])
  useEffect(() => onMarketsChange(() => void refetch()), [refetch])
  const list = query.data?.data
  const wanted = params['symbol']
  const item = list && findSymbol(list, wanted)
  useSymbolInAddress(list, wanted, item)
  useReceiptOfUnlisted(list !== undefined && wanted !== undefined && item === undefined)
  // Open orders on a delisted symbol continue. If the symbol in the address is unknown, the page links to these orders.
  const open = useSession()?.user.open_orders ?? 0
  const account = useAccount()
  useEffect(() => onAccountChange(() => dropOrderFromAddress(go)), [go])

  if (list && item) {
    const notice = query.isError ? asOf(query.dataUpdatedAt) : null
    // The other account starts with an own desk: nothing of the form, the order and the lists remains.
    return <TradeDesk key={`${account} ${item.symbol}`} list={list} item={item} staleNotice={notice} />
  }
  return (
    <Page title={t('trade.title')} header={<MainHeader />}>
      <h1 className="sr-only">{t('trade.title')}</h1>
      {list && wanted !== undefined ? (
        <Empty
          title={t('trade.symbol_unknown')}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <ButtonLink href="/market" size="m">
                {t('trade.show_markets')}
              </ButtonLink>
              {open > 0 && (
                <ButtonLink href="/history/transaction" size="m" variant="secondary">
                  {t('trade.open_orders')}
                </ButtonLink>
              )}
            </span>
          }
        />
      ) : query.isError ? (
        <div className="card mt-4">
          <LoadError
            reason={t('common.load_failed')}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        </div>
      ) : (
        <Loading />
      )}
    </Page>
  )
}

/** Finds a symbol by code or product id, ignoring case. */
function findSymbol(list: MarketList, wanted: string | undefined): SymbolItem | undefined {
  const name = wanted?.toUpperCase()
  return list.currencies.find((item) => item.symbol === name || item.product_id === name)
}

function useSymbolInAddress(list: MarketList | undefined, wanted: string | undefined, item: SymbolItem | undefined) {
  const go = useGo()
  useEffect(() => {
    if (item) writeItem('localStorage', LAST_USED, item.symbol)
    else if (list && wanted === undefined) {
      const start =
        findSymbol(list, readItem('localStorage', LAST_USED) ?? undefined) ??
        list.currencies.find(({ is_featured }) => is_featured) ??
        list.currencies[0]
      if (start) go(`/trade/${start.symbol}`, { replace: true })
    }
  }, [go, list, wanted, item])
}

/** The order or result that the address names belongs to the account that was left. */
function dropOrderFromAddress(go: Go): void {
  if (location.search !== '') go(location.pathname, { replace: true })
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 pt-2">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton width={220} height={36} />
      <Skeleton height={34} />
      <Skeleton height={400} />
    </div>
  )
}
