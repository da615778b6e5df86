import type { ComponentType } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { z } from 'zod'
import type { StaffListCall } from '#contract/back-office/staff-call.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'

const TABS = ['open', 'all'] as const

interface OpenOrAllPageProps<C extends StaffListCall> {
  /** The path of the page, e.g. `/changes`. The id of an open row follows it. */
  href: `/${string}`
  title: string
  call: C
  columns: readonly Column<z.output<C['row']>>[]
  keyOf: (row: z.output<C['row']>) => string
  tabsLabel: string
  tabs: Readonly<Record<(typeof TABS)[number], string>>
  /** The texts when there are no rows. */
  empty: Readonly<Record<(typeof TABS)[number], string>>
  Detail: ComponentType<{ id: string; onClose: () => void }>
}

/** A page with two tabs: the first lists the open rows, the second lists all rows. */
export function OpenOrAllPage<C extends StaffListCall>(props: OpenOrAllPageProps<C>) {
  const { href, title, call, columns, keyOf, tabsLabel, tabs, empty, Detail } = props
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state'])
  const tab = TABS.find((one) => one === filters.state) ?? 'open'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={title}
      call={call}
      filters={{ state: tab }}
      columns={columns}
      keyOf={keyOf}
      onOpen={(row) => goTo(`${href}/${keyOf(row)}`)}
      openKey={id}
      empty={empty[tab]}
      detail={id !== undefined && <Detail key={id} id={id} onClose={() => goTo(href)} />}
      tabs={{
        id: href.slice(1),
        label: tabsLabel,
        tabs: TABS.map((value) => ({ value, label: tabs[value] })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}
