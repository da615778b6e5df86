import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SymbolItem } from '#contract/markets.ts'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { callKey } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { OwnTradeRows, PublicTrades } from '#web/screens/trade/trade-rows.tsx'
import type { OwnTrades } from '#web/live/use-own-trades.ts'

/**
 * The panel of recent trades on phones: public trades and the user's own. While the market is closed, the panel shows
 * only the user's own trades.
 */
export function RecentTrades({ item, isOpen, own }: { item: SymbolItem; isOpen: boolean; own: OwnTrades }) {
  const [tab, setTab] = useState<'public' | 'own'>('public')
  const shown = isOpen ? tab : 'own'
  const count = own.running.length || undefined
  return (
    <section aria-label={t('trade.recent')} className="border-t border-line px-4">
      <Tabs
        id="trade-recent"
        label={t('trade.recent')}
        size="s"
        value={shown}
        onChange={setTab}
        className="min-h-10 border-b-0!"
        tabs={[
          ...(isOpen ? [{ value: 'public' as const, label: t('trade.public') }] : []),
          { value: 'own' as const, label: t('trade.own'), count },
        ]}
        end={<span className="text-caption">{t('trade.recent')}</span>}
      />
      <TabPanel id="trade-recent" value={shown} className="@container pb-3">
        {shown === 'own' ? (
          <OwnList own={own} />
        ) : (
          <PublicTrades code={item.symbol} decimals={item.decimals} own={own} />
        )}
      </TabPanel>
    </section>
  )
}

/** The user's own trades, with a retry button. */
export function OwnList({ own }: { own: OwnTrades }) {
  const client = useQueryClient()
  return (
    <OwnTradeRows
      own={own}
      onRetry={() => void client.invalidateQueries({ queryKey: callKey('GET /user/trade-log/recent') })}
    />
  )
}
