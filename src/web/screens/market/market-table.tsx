import { type ReactNode, useId, useRef } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { cx } from '#ui/cx.ts'
import { Empty } from '#ui/states.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { SortMark } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { MarketRow, ROW_GRID } from '#web/screens/market/market-row.tsx'
import {
  MARKET_TABS,
  type MarketTab,
  nextSort,
  rowsOf,
  type Sort,
  sortInUse,
  type SortKey,
} from '#web/symbols/market-rules.ts'
import { ClosedNotice, MarketState } from '#web/symbols/market-state.tsx'
import { useRowsInView } from '#web/lists/use-rows-in-view.ts'
import { useFavorite } from '#web/symbols/use-favorite.ts'

interface MarketTableProps {
  list: MarketList
  marketType: MarketType
  rows: readonly SymbolItem[]
  /** Whether the rows are search results from all markets, which have no tabs and opening hours. */
  isSearching: boolean
  tab: MarketTab
  onTab: (tab: MarketTab) => void
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  previewed: SymbolItem | null
  onPreview: (item: SymbolItem) => void
}

/** The tabs and rows of one market. */
export function MarketTable(props: MarketTableProps) {
  const { list, marketType, rows, isSearching, tab, onTab, sort, onSort, previewed, onPreview } = props
  const id = useId()
  const inUse = sortInUse(tab, sort)
  return (
    <>
      {!isSearching && (
        <Tabs
          id={id}
          label={t('market.lists')}
          tabs={MARKET_TABS.map((value) => ({
            value,
            label: t(`market.tab_${value}`),
            ...(value === 'favorites' && {
              count: rowsOf(list.currencies, { marketType, tab: value, sort: null }).length,
            }),
          }))}
          value={tab}
          onChange={onTab}
          end={<MarketState list={list} marketType={marketType} saysClosed={false} />}
          className="-mx-(--gutter) px-(--gutter) lg:mx-0 lg:px-0"
        />
      )}
      <Rows {...(isSearching ? {} : { tab: { id, value: tab } })}>
        {!isSearching && <ClosedNotice list={list} marketType={marketType} className="mt-3" />}
        {rows.length === 0 ? (
          <Empty title={t('common.no_data')} className="mt-6">
            {isSearching ? t('trade.no_matches') : tab === 'favorites' ? t('market.no_favorites') : undefined}
          </Empty>
        ) : (
          <>
            <div className={cx(ROW_GRID, 'min-h-9 text-caption font-medium text-fg-3')}>
              <span className="col-start-2">{t('market.name')}</span>
              <span className="col-span-2 col-start-3 flex flex-wrap justify-end gap-x-3 @max-[20rem]:col-span-1 @max-[14rem]:col-start-2 @max-[14rem]:justify-start lg:contents">
                <SortHead by="price" inUse={inUse} onPress={() => onSort(nextSort(sort, 'price'))} />
                <SortHead by="change" inUse={inUse} onPress={() => onSort(nextSort(sort, 'change'))} />
              </span>
            </div>
            <MarketRows rows={rows} previewed={previewed} onPreview={onPreview} />
          </>
        )}
      </Rows>
    </>
  )
}

/** The rows near the screen. A long list has thousands of rows, and each row subscribes to its price. */
function MarketRows({ rows, previewed, onPreview }: Pick<MarketTableProps, 'rows' | 'previewed' | 'onPreview'>) {
  const list = useRef<HTMLUListElement>(null)
  const favorite = useFavorite()
  const { first, end, above, below } = useRowsInView(list, rows.length)
  return (
    <ul ref={list}>
      {above > 0 && <li aria-hidden="true" style={{ height: above }} />}
      {rows.slice(first, end).map((item, at) => (
        <MarketRow
          // Keyed by position, so that a new sort order changes the texts of the rows instead of replacing the rows.
          key={first + at}
          item={item}
          place={{ 'aria-setsize': rows.length, 'aria-posinset': first + at + 1 }}
          onFavorite={favorite}
          isPreviewed={previewed?.id === item.id}
          onPreview={onPreview}
        />
      ))}
      {below > 0 && <li aria-hidden="true" style={{ height: below }} />}
    </ul>
  )
}

/** The panel of a tab, or plain rows without tabs. */
function Rows({ tab, children }: { tab?: { id: string; value: MarketTab }; children: ReactNode }) {
  if (tab === undefined) return <div className="@container pb-6">{children}</div>
  return (
    <TabPanel {...tab} className="@container pb-6">
      {children}
    </TabPanel>
  )
}

function SortHead({ by, inUse, onPress }: { by: SortKey; inUse: Sort | null; onPress: () => void }) {
  const sorted = inUse?.by === by ? inUse.direction : null
  const spoken = sorted === null ? 'market.sort_by' : (`market.sorted_${sorted}` as const)
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={t(spoken, { column: t(`market.${by}`) })}
      className={cx(
        'hit flex h-6 items-center justify-end gap-1',
        by === 'price' ? 'lg:col-start-4' : 'lg:col-start-5',
        sorted !== null && 'font-semibold text-fg-2',
      )}
    >
      {t(`market.${by}`)}
      <SortMark sorted={sorted} />
    </button>
  )
}
