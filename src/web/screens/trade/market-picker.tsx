import { type Ref, useState } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { MARKET_TYPES, type MarketType } from '#core/markets/market.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Empty } from '#ui/states.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { t } from '#web/i18n/t.ts'
import { changeSince } from '#web/options/options.ts'
import { MARKET_TABS, type MarketTab, rowsOf, searchSymbols } from '#web/symbols/market-rules.ts'
import { MarketSearch } from '#web/symbols/market-search.tsx'
import { MarketState } from '#web/symbols/market-state.tsx'
import { SymbolTitle } from '#web/screens/trade/trade-header.tsx'
import { ListedMark, LiveChange, LivePrice, LiveSparkline } from '#web/symbols/live-figures.tsx'

interface MarketPickerProps {
  list: MarketList
  current: SymbolItem
  /** Called after a choice, to close the sheet. */
  onChosen?: () => void
  search?: Ref<HTMLInputElement>
  /** True in the pane of the desktop, which shows the search shortcut, and sparklines where there is room. */
  isPane?: boolean
}

/** A list of all symbols with search, markets and tabs. The search covers all markets. */
export function MarketPicker({ list, current, onChosen, search, isPane = false }: MarketPickerProps) {
  const [query, setQuery] = useState('')
  const [marketType, setMarketType] = useState<MarketType>(current.market_type)
  const [tab, setTab] = useState<MarketTab>('all')
  const since = changeSince.use()
  const wanted = query.trim()
  const rows =
    wanted === ''
      ? rowsOf(list.currencies, { marketType, tab, sort: null, since })
      : searchSymbols(list.currencies, wanted)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className={cx('flex flex-col gap-2.5', isPane && 'px-4 pt-3')}>
        <MarketSearch value={query} onChange={setQuery} ref={search} hasKey={isPane} />
        <Segmented
          compact
          label={t('trade.market_type')}
          options={MARKET_TYPES.map((value) => ({ value, label: t(`trade.${value}`) }))}
          value={marketType}
          onChange={setMarketType}
        />
        <Tabs
          size="s"
          id="trade-markets"
          label={t('trade.markets')}
          tabs={MARKET_TABS.map((value) => ({ value, label: t(`trade.${value}`) }))}
          value={tab}
          onChange={setTab}
          end={
            isPane ? (
              <span className="hidden min-[1200px]:block">
                <MarketState list={list} marketType={marketType} saysClosed={marketType !== current.market_type} />
              </span>
            ) : undefined
          }
        />
      </div>
      <div
        role="tabpanel"
        id="trade-markets-panel"
        aria-labelledby={`trade-markets-${tab}`}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {rows.length === 0 ? (
          <Empty title={t('common.no_data')}>
            {t(wanted === '' && tab === 'favorites' ? 'trade.no_favorites' : 'trade.no_matches')}
          </Empty>
        ) : (
          <ul>
            {rows.map((item) => (
              <PickerRow
                key={item.id}
                item={item}
                isCurrent={item.id === current.id}
                isPane={isPane}
                {...(onChosen && { onChosen })}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

interface PickerRowProps {
  item: SymbolItem
  isCurrent: boolean
  isPane: boolean
  onChosen?: () => void
}

function PickerRow({ item, isCurrent, isPane, onChosen }: PickerRowProps) {
  return (
    <li>
      <Link
        href={`/trade/${item.symbol}`}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onChosen}
        className={cx(
          'flex min-h-12 items-center gap-2 focus-visible:-outline-offset-2 hover:bg-surface-2',
          isPane ? 'px-4' : 'px-2',
          isCurrent && 'bg-brand-tint/60 shadow-[inset_3px_0_0_var(--brand)] rtl:shadow-[inset_-3px_0_0_var(--brand)]',
        )}
      >
        <ListedMark item={item} size={28} />
        <span className="min-w-0 flex-1">
          <SymbolTitle item={item} className="block text-[0.875rem]/[1.125rem] whitespace-nowrap" />
          <span dir="auto" className="line-clamp-2 text-caption text-fg-3 rtl:text-right">
            {item.name}
          </span>
        </span>
        <span className={isPane ? 'hidden min-[1200px]:block' : undefined}>
          <LiveSparkline item={item} width={40} height={22} />
        </span>
        <span className="flex min-w-21 flex-col items-end">
          <LivePrice item={item} className="text-label font-semibold" />
          <LiveChange item={item} />
        </span>
      </Link>
    </li>
  )
}
