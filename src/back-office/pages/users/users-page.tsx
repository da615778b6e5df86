import { useNavigate, useParams } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { UserRow } from '#contract/back-office/users.ts'
import { Avatar } from '#ui/symbol-mark.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { FilterSelect } from '#back-office/list/filter-select.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { UserMarks } from '#back-office/pages/users/user-marks.tsx'
import { UserPage } from '#back-office/pages/users/user-page.tsx'
import { t } from '#back-office/i18n/t.ts'

/** All users, or the page of one user if the address has an id. */
export function UsersPage() {
  const { id } = useParams()
  return id === undefined ? <AllUsers /> : <UserPage key={id} id={id} />
}

const NARROWED_BY = {
  verified: ['yes', 'no'],
  trading: ['on', 'off'],
  sign_in: ['allowed', 'blocked'],
  kind: ['people', 'bots'],
} as const
const FILTERS = ['verified', 'trading', 'sign_in', 'kind'] as const

function AllUsers() {
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['search', ...FILTERS])
  return (
    <ListPage
      title={t('nav.users')}
      call={staffCalls.staffUsers}
      filters={filters}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => void navigate(`/users/${row.id}`)}
      search={{
        placeholder: t('users.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t('users.none')}
    >
      <div className="flex flex-wrap gap-2 px-4 pb-3 md:px-6">
        {FILTERS.map((filter) => (
          <FilterSelect
            key={filter}
            label={t(`users.filter_${filter}`)}
            value={filters[filter]}
            options={[{ value: '', label: t('users.any') }, ...optionsOf(filter)]}
            onChange={(value) => setFilter(filter, value)}
          />
        ))}
      </div>
    </ListPage>
  )
}

const LABELS = {
  verified_yes: t('users.verified_yes'),
  verified_no: t('users.verified_no'),
  trading_on: t('users.trading_on'),
  trading_off: t('users.trading_off'),
  sign_in_allowed: t('users.sign_in_allowed'),
  sign_in_blocked: t('users.sign_in_blocked'),
  kind_people: t('users.kind_people'),
  kind_bots: t('users.kind_bots'),
} as const

function optionsOf(filter: (typeof FILTERS)[number]): { value: string; label: string }[] {
  const labels: Readonly<Record<string, string>> = LABELS
  return NARROWED_BY[filter].map((value) => ({ value, label: labels[`${filter}_${value}`] ?? value }))
}

const COLUMNS: readonly Column<UserRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: (row) => (
      <span className="flex items-center gap-3">
        <Avatar name={row.username} size={32} />
        <span className="min-w-0">
          <span className="block max-w-[44vw] truncate font-list">{row.username}</span>
          <span className="block max-w-[44vw] truncate text-caption text-fg-3">{row.email ?? row.mobile}</span>
          <span className="block md:hidden">
            <UserMarks user={row} />
          </span>
        </span>
      </span>
    ),
  },
  { id: 'mobile', head: t('users.mobile'), from: 'xl', cell: ({ mobile }) => <span className="num">{mobile}</span> },
  { id: 'country', head: t('users.country'), from: 'lg', cell: ({ country_code: code }) => code || '–' },
  {
    id: 'cash',
    head: t('users.cash'),
    end: true,
    cell: ({ cash }) => <span className="num font-list">{money(cash)}</span>,
  },
  {
    id: 'staked',
    head: t('users.staked'),
    end: true,
    from: 'lg',
    cell: ({ staked }) => <span className="num text-fg-2">{money(staked)}</span>,
  },
  {
    id: 'joined',
    head: t('users.joined'),
    from: 'md',
    cell: ({ created_at: at }) => <span className="num text-fg-2">{time(at)}</span>,
  },
  { id: 'standing', head: t('users.standing'), from: 'md', cell: (row) => <UserMarks user={row} /> },
]
