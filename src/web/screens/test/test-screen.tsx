import { useState } from 'react'
import type { SymbolItem } from '#contract/markets.ts'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import '#web/live/live-client.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { symbolText } from '#web/symbols/symbol-text.ts'
import { latePart } from '#web/parts/late-part.tsx'

const PriceChart = latePart(async () => (await import('#web/chart/price-chart.tsx')).default, {
  loading: () => <Skeleton height={424} />,
})

export const TestScreen = withData(Test)

/** The chart alone, with the first symbol of the market, so that the chart can be inspected. */
function Test() {
  const query = useCallQuery('GET /user/crypto-currency/list', {})
  const item = query.data?.data.currencies[0]
  return (
    <Page
      title={t('test.title')}
      header={<DeepHeader title={t('test.title')} parent="/market" />}
      className="pt-1 pb-8"
    >
      {item ? (
        <Chart item={item} />
      ) : query.isError ? (
        <div className="card">
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        </div>
      ) : query.isPending ? (
        <div aria-busy="true">
          <Skeleton height={400} className="rounded-card!" />
        </div>
      ) : (
        <Empty title={t('common.no_data')}>{t('test.no_market')}</Empty>
      )}
    </Page>
  )
}

function Chart({ item }: { item: SymbolItem }) {
  const { base, quote } = symbolText(item.symbol, item.market_type)
  const title = base + quote
  const [isTable, setIsTable] = useState(false)
  return (
    <section aria-label={title} className="-mx-(--gutter)">
      <h2 className="px-(--gutter) pb-2 text-heading" dir="ltr">
        {title}
      </h2>
      <PriceChart
        symbol={{
          code: item.symbol,
          productId: item.product_id,
          marketType: item.market_type,
          decimals: item.decimals,
          splits: item.splits,
          title,
        }}
        interval="1m"
        order={null}
        orders={[]}
        trades={[]}
        onTrade={() => undefined}
        isTable={isTable}
        onTable={setIsTable}
        className="h-[424px]"
      />
    </section>
  )
}
