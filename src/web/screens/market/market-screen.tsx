import { useEffect, useState } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { MARKET_TYPES, type MarketType } from '#core/markets/market.ts'
import { Segmented } from '#ui/segmented.tsx'
import { LoadError, Skeleton, SkeletonRows } from '#ui/states.tsx'
import { withData } from '#web/api/query.tsx'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { onMarketsChange, onResync } from '#web/live/live-client.ts'
import { BalanceLine } from '#web/screens/market/balance-line.tsx'
import { MarketSearch } from '#web/symbols/market-search.tsx'
import { FeaturedStrip } from '#web/screens/market/featured-strip.tsx'
import { featuredOf, type MarketTab, rowsOf, searchSymbols, type Sort } from '#web/symbols/market-rules.ts'
import { MarketTable } from '#web/screens/market/market-table.tsx'
import { PreviewPane } from '#web/screens/market/preview-pane.tsx'
import { changeSince } from '#web/options/options.ts'
import { ContinueStrip } from '#web/shell/continue-strip.tsx'
import { MainHeader } from '#web/shell/headers.tsx'
import { DemoFunds } from '#web/tasks/demo-funds.tsx'
import { Page } from '#web/shell/page.tsx'
import { useMarketList } from '#web/symbols/use-market-list.ts'

/** Interval for new sparklines, favorites and hours. The socket delivers prices. */
const REFRESH_MS = 30_000

export const MarketScreen = withData(Market)

function Market() {
  const query = useMarketList(REFRESH_MS)
  const { refetch } = query
  useEffect(() => onMarketsChange(() => void refetch()), [refetch])
  useEffect(() => onResync(() => void refetch()), [refetch])
  return (
    <Page
      title={t('market.title')}
      header={
        <>
          <MainHeader />
          <ContinueStrip />
        </>
      }
      width="wide"
      className="pt-1 lg:max-w-[1280px]! lg:pt-6"
    >
      <h1 className="sr-only">{t('market.title')}</h1>
      <DemoFunds className="mt-1 mb-3" />
      {query.data ? (
        <>
          {query.isError && (
            <LoadError
              reason={`${t('common.load_failed')} ${asOf(query.dataUpdatedAt)}`}
              retryLabel={t('common.try_again')}
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
            />
          )}
          <Markets list={query.data.data} />
        </>
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

function asOf(at: number): string {
  return t('market.as_of', { time: clockTime(at), zone: clockZone(at) })
}

function Markets({ list }: { list: MarketList }) {
  const [marketType, setMarketType] = useState<MarketType>('crypto')
  const [tab, setTab] = useState<MarketTab>('all')
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [pointedAt, setPointedAt] = useState<SymbolItem | null>(null)
  const since = changeSince.use()
  const isSearching = query.trim() !== ''
  const rows = isSearching
    ? searchSymbols(list.currencies, query)
    : rowsOf(list.currencies, { marketType, tab, sort, since })
  const previewed = rows.find((item) => item.id === pointedAt?.id) ?? rows[0] ?? null
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_420px] lg:gap-8">
      <div className="min-w-0">
        <BalanceLine />
        <MarketSearch value={query} onChange={setQuery} className="mb-3" />
        {!isSearching && (
          <>
            <FeaturedStrip items={featuredOf(list.currencies, marketType)} />
            <Segmented
              label={t('market.type')}
              options={MARKET_TYPES.map((value) => ({ value, label: t(`market.type_${value}`) }))}
              value={marketType}
              onChange={setMarketType}
              className="mb-2"
            />
          </>
        )}
        <MarketTable
          list={list}
          rows={rows}
          isSearching={isSearching}
          marketType={marketType}
          tab={tab}
          onTab={(next) => {
            setTab(next)
            setSort(null)
          }}
          sort={sort}
          onSort={setSort}
          previewed={previewed}
          onPreview={setPointedAt}
        />
      </div>
      <aside aria-label={t('market.preview')} className="hidden lg:block">
        {previewed && <PreviewPane item={previewed} />}
      </aside>
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy="true">
      <span className="sr-only">{t('common.loading')}</span>
      <div className="mb-4 flex gap-1">
        {[0, 1, 2].map((key) => (
          <Skeleton key={key} height={130} className="flex-1 rounded-field!" />
        ))}
      </div>
      <Skeleton height={44} className="mb-14 rounded-field!" />
      <SkeletonRows count={8} />
    </div>
  )
}
