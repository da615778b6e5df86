import Plus from 'lucide-react/icons/plus'
import Star from 'lucide-react/icons/star'
import { useNavigate, useParams } from 'react-router'
import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { Button } from '#ui/button.tsx'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { NewSymbol } from '#back-office/pages/symbols/new-symbol.tsx'
import { SymbolBadge } from '#back-office/pages/symbols/symbol-badge.tsx'
import { SymbolDetail } from '#back-office/pages/symbols/symbol-detail.tsx'
import { SymbolState } from '#back-office/pages/symbols/symbol-state.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { sourceName } from '#back-office/i18n/source-mark.ts'
import { price } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = [ALL, ...MARKET_TYPES] as const
/** Codes are upper case, so no symbol can have this code. */
const NEW = 'new'

/** All symbols, in the order users see them. */
export function SymbolsPage() {
  const { code } = useParams()
  const navigate = useNavigate()
  const mayEdit = useMay('markets.edit')
  const [filters, setFilter] = useFilters(['market', 'search'])
  const tab = TABS.find((one) => one === filters.market) ?? ALL
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  const close = () => goTo('/symbols')
  return (
    <ListPage
      title={t('nav.symbols')}
      call={staffCalls.staffSymbols}
      filters={{ market_type: tab === ALL ? '' : tab, search: filters.search }}
      columns={COLUMNS}
      keyOf={(row) => row.code}
      onOpen={(row) => goTo(`/symbols/${row.code}`)}
      openKey={code}
      search={{
        placeholder: t('markets.symbol_search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      tabs={{
        id: 'symbols',
        label: t('markets.symbol_tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`markets.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('market', value === ALL ? '' : value),
      }}
      actions={
        mayEdit && (
          <Button size="s" icon={<Plus size={16} aria-hidden="true" />} onClick={() => goTo(`/symbols/${NEW}`)}>
            {t('markets.add_symbol')}
          </Button>
        )
      }
      empty={t('markets.no_symbols')}
      detail={
        code === NEW ? (
          <NewSymbol onClose={close} onAdded={(added) => goTo(`/symbols/${added}`)} />
        ) : (
          code !== undefined && <SymbolDetail key={code} code={code} onClose={close} />
        )
      }
    />
  )
}

const COLUMNS: readonly Column<SymbolRow>[] = [
  {
    id: 'symbol',
    head: t('markets.symbol'),
    cell: (row) => (
      <span className="flex items-center gap-3">
        <SymbolBadge row={row} />
        <span className="min-w-0">
          <span className="flex items-center gap-1.5 font-list">
            {row.code}
            {row.is_featured && (
              <>
                <Star size={13} className="fill-current text-warn" aria-hidden="true" />
                <span className="sr-only">{t('markets.featured_mark')}</span>
              </>
            )}
          </span>
          <span className="block truncate text-caption text-fg-3">{row.name}</span>
        </span>
      </span>
    ),
  },
  { id: 'market', head: t('markets.market'), from: 'lg', cell: (row) => t(`markets.${row.market_type}`) },
  {
    id: 'price',
    head: t('markets.price'),
    end: true,
    from: 'md',
    cell: (row) => <span className="num">{price(row.price, row.decimals)}</span>,
  },
  {
    id: 'tick',
    head: t('markets.tick_size'),
    end: true,
    from: 'xl',
    cell: (row) => <span className="num">{row.tick_size}</span>,
  },
  {
    id: 'age',
    head: t('markets.max_age'),
    end: true,
    from: 'xl',
    cell: (row) => <span className="num">{t('markets.seconds', { value: row.max_tick_age_ms / 1000 })}</span>,
  },
  { id: 'source', head: t('markets.source'), from: 'lg', cell: (row) => sourceName(row.source) },
  {
    id: 'state',
    head: t('common.state'),
    cell: (row) => (
      <span className="flex flex-col items-start gap-0.5">
        <SymbolState row={row} />
        {row.closed_reason !== null && (
          <span className="hidden max-w-[220px] truncate text-caption text-fg-3 md:block">{row.closed_reason}</span>
        )}
      </span>
    ),
  },
]
