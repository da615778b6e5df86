import { useNavigate, useParams } from 'react-router'
import type { OrderRow } from '#contract/back-office/orders.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Triangle } from '#ui/triangle.tsx'
import { money, price, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { FilterBar, FilterPeriod, FilterText } from '#back-office/list/filter-bar.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { OrderDetail } from '#back-office/pages/orders/order-detail.tsx'
import { OrderState } from '#back-office/pages/orders/order-state.tsx'
import { t } from '#back-office/i18n/t.ts'
import { durationText } from '#back-office/terms/duration-text.ts'

const ALL = 'all'
const TABS = [ALL, 'open', 'won', 'lost', 'draw', 'void', 'sold'] as const

/** The orders of all users, read-only. */
export function OrdersPage() {
  const { trx } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state', 'symbol', 'search', 'from', 'to'])
  const tab = TABS.find((one) => one === filters.state) ?? ALL
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.orders')}
      call={staffCalls.staffOrders}
      filters={{ ...filters, state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.trx}
      onOpen={(row) => goTo(`/orders/${row.trx}`)}
      openKey={trx}
      search={{
        placeholder: t('orders.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t('orders.none')}
      tabs={{
        id: 'orders',
        label: t('orders.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`orders.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value === ALL ? '' : value),
      }}
      detail={trx !== undefined && <OrderDetail key={trx} trx={trx} onClose={() => goTo('/orders')} />}
    >
      <FilterBar>
        <FilterText label={t('orders.symbol')} value={filters.symbol} onChange={(text) => setFilter('symbol', text)} />
        <FilterPeriod from={filters.from} to={filters.to} onChange={setFilter} />
      </FilterBar>
    </ListPage>
  )
}

const COLUMNS: readonly Column<OrderRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: ({ username, trx }) => (
      <span className="block min-w-0">
        <span className="block truncate font-list">{username}</span>
        <span className="mono block text-fg-3">{trx}</span>
      </span>
    ),
  },
  {
    id: 'symbol',
    head: t('orders.symbol'),
    from: 'md',
    cell: ({ symbol, direction, seconds }) => (
      <span>
        <span className="flex items-center gap-1.5 font-list">
          {symbol}
          <Direction direction={direction} />
        </span>
        <span className="num block text-caption text-fg-3">{durationText(seconds)}</span>
      </span>
    ),
  },
  {
    id: 'stake',
    head: t('orders.stake'),
    end: true,
    from: 'md',
    cell: ({ stake, payout_percent: payout }) => (
      <span className="num">
        <span className="block">{money(stake)}</span>
        <span className="block text-caption text-fg-3">{t('orders.payout_percent', { percent: payout })}</span>
      </span>
    ),
  },
  {
    id: 'prices',
    head: t('orders.prices'),
    end: true,
    from: 'xl',
    cell: ({ entry_price: entry, exit_price: exit, decimals }) => (
      <span className="num whitespace-nowrap">
        {price(entry, decimals)} → {price(exit, decimals)}
      </span>
    ),
  },
  {
    id: 'result',
    head: t('orders.result'),
    end: true,
    cell: ({ result }) => <span className="num font-list">{result === null ? '–' : money(result)}</span>,
  },
  { id: 'state', head: t('common.state'), cell: ({ state }) => <OrderState state={state} /> },
  {
    id: 'opened',
    head: t('orders.opened'),
    from: 'xl',
    cell: ({ opened_at: opened }) => <span className="num whitespace-nowrap">{time(opened)}</span>,
  },
]

function Direction({ direction }: Pick<OrderRow, 'direction'>) {
  return (
    <span className={direction === 'buy' ? 'text-up' : 'text-down'}>
      <Triangle direction={direction === 'buy' ? 'up' : 'down'} />
      <span className="sr-only">{t(`orders.${direction}`)}</span>
    </span>
  )
}
