import { useNavigate, useParams } from 'react-router'
import type { TransferRow } from '#contract/back-office/ledger.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { FilterBar, FilterPeriod, FilterSelect, FilterText } from '#back-office/list/filter-bar.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { LedgerReport } from '#back-office/pages/ledger/ledger-report.tsx'
import { TransfersDetail } from '#back-office/pages/ledger/transfers-detail.tsx'
import { TRANSFER_KINDS } from '#core/ledger/transfer-kinds.ts'
import { accountName, movement, transferName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'

const ACCOUNTS = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS].map((value) => ({ value, label: accountName(value) }))

const KINDS = Object.keys(TRANSFER_KINDS).map((value) => ({ value, label: transferName(value) }))

/** The ledger: whether it reconciles, the balance of each account, and every transfer. */
export function LedgerPage() {
  const { userId, reference } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['user', 'kind', 'account', 'ref', 'from', 'to'])
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  const isOpen = userId !== undefined && reference !== undefined
  return (
    <ListPage
      title={t('nav.ledger')}
      call={staffCalls.staffTransfers}
      filters={filters}
      columns={COLUMNS}
      keyOf={({ user_id: user, ref, step }) => `${user} ${ref} ${step}`}
      onOpen={({ user_id: user, ref }) => goTo(`/ledger/${user}/${ref}`)}
      empty={t('ledger.none')}
      detail={
        isOpen && (
          <TransfersDetail
            key={`${userId} ${reference}`}
            userId={userId}
            reference={reference}
            onClose={() => goTo('/ledger')}
          />
        )
      }
    >
      <LedgerReport />
      <FilterBar>
        <FilterText label={t('common.user')} value={filters.user} onChange={(text) => setFilter('user', text)} />
        <FilterText label={t('ledger.reference')} value={filters.ref} onChange={(text) => setFilter('ref', text)} />
        <FilterSelect
          label={t('ledger.account')}
          value={filters.account}
          options={ACCOUNTS}
          onChange={(value) => setFilter('account', value)}
        />
        <FilterSelect
          label={t('ledger.kind')}
          value={filters.kind}
          options={KINDS}
          onChange={(value) => setFilter('kind', value)}
        />
        <FilterPeriod from={filters.from} to={filters.to} onChange={setFilter} />
      </FilterBar>
    </ListPage>
  )
}

const COLUMNS: readonly Column<TransferRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: ({ username, kind }) => (
      <span className="block min-w-0">
        <span className="block truncate font-list">{username}</span>
        <span className="block text-caption text-fg-3">{transferName(kind)}</span>
      </span>
    ),
  },
  {
    id: 'accounts',
    head: t('ledger.movement'),
    from: 'md',
    cell: ({ from_account: from, to_account: to }) => <span className="whitespace-nowrap">{movement(from, to)}</span>,
  },
  {
    id: 'amount',
    head: t('ledger.amount'),
    end: true,
    cell: ({ amount }) => <span className="num font-list">{money(amount)}</span>,
  },
  {
    id: 'at',
    head: t('ledger.at'),
    from: 'lg',
    cell: ({ at }) => <span className="num whitespace-nowrap">{time(at)}</span>,
  },
]
