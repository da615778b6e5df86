import { useState } from 'react'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { OpenOrders } from '#web/screens/trade/open-orders.tsx'
import { OwnList } from '#web/screens/trade/recent-trades.tsx'
import { PublicTrades } from '#web/screens/trade/trade-rows.tsx'
import type { OwnTrades } from '#web/live/use-own-trades.ts'

interface TradeTabsProps {
  list: MarketList
  item: SymbolItem
  isOpen: boolean
  own: OwnTrades
  onShow: (order: PlacedOrder) => void
}

/** The area below the chart on larger screens: open orders, own trades and public trades. */
export function TradeTabs({ list, item, isOpen, own, onShow }: TradeTabsProps) {
  const [tab, setTab] = useState<'open' | 'own' | 'public'>('open')
  const shown = tab === 'public' && !isOpen ? 'own' : tab
  return (
    <section aria-label={t('trade.recent')} className="flex min-h-0 flex-col border-t border-line">
      <Tabs
        id="trade-dock"
        label={t('trade.recent')}
        size="s"
        value={shown}
        onChange={setTab}
        className="px-5"
        tabs={[
          { value: 'open', label: t('trade.open_orders'), count: own.running.length || undefined, shortcut: 'o' },
          { value: 'own', label: t('trade.own_trades') },
          ...(isOpen ? [{ value: 'public' as const, label: t('trade.public_trades') }] : []),
        ]}
      />
      <TabPanel id="trade-dock" value={shown} scrolls className="@container min-h-0 flex-1 overflow-y-auto px-5 pb-2">
        {shown === 'open' ? (
          <OpenOrders list={list} trades={own.trades} running={own.running} onShow={onShow} />
        ) : shown === 'own' ? (
          <OwnList own={own} />
        ) : (
          <PublicTrades code={item.symbol} decimals={item.decimals} own={own} />
        )}
      </TabPanel>
    </section>
  )
}
