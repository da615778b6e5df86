import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { StaffListCall } from '#contract/back-office/staff-call.ts'
import { type TabChoice, TabPanel, Tabs } from '#ui/tabs.tsx'
import { useStaffList } from '#back-office/api/queries.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ExportLinks } from '#back-office/list/export-links.tsx'
import { ListRows } from '#back-office/list/list-rows.tsx'
import { SearchBox } from '#back-office/list/search-box.tsx'

export interface ListTabs {
  id: string
  label: string
  tabs: readonly TabChoice<string>[]
  value: string
  onChange: (value: string) => void
  /** Shown at the end of the tab row, for example how the list is sorted. */
  end?: ReactNode
}

interface ListPageProps<C extends StaffListCall> {
  title: string
  call: C
  /** The filters, by the names that the call uses. Empty values are left out. */
  filters: Readonly<Record<string, string>>
  columns: readonly Column<z.output<C['row']>>[]
  keyOf: (row: z.output<C['row']>) => string
  onOpen?: ((row: z.output<C['row']>) => void) | undefined
  openKey?: string | undefined
  /** Shows the search box; the placeholder names the searchable fields. */
  search?: { placeholder: string; value: string; onChange: (text: string) => void } | undefined
  /** Shown between title and tabs: figures and filters. */
  children?: ReactNode
  /** Tabs above the rows, which form their tab panel. */
  tabs?: ListTabs | undefined
  /** Shown at the end of the title row, before the export links. */
  actions?: ReactNode
  /** The text when there are no rows. */
  empty: string
  /** The detail pane of the open row. On narrow windows it covers the list. */
  detail?: ReactNode
}

/** A page with a list, and room beside it for the detail of one row. */
export function ListPage<C extends StaffListCall>(props: ListPageProps<C>) {
  const { title, call, filters, columns, keyOf, onOpen, openKey, search, children, tabs, actions, empty, detail } =
    props
  const list = useStaffList(call, filters)
  const rows = (
    <ListRows
      label={title}
      list={list}
      columns={columns}
      keyOf={keyOf}
      onOpen={onOpen}
      openKey={openKey}
      empty={empty}
    />
  )
  return (
    <div className="flex min-w-0 lg:h-dvh">
      <main id="content" className="flex min-w-0 flex-1 flex-col lg:h-dvh lg:overflow-y-auto">
        <div className="flex flex-wrap items-center gap-3 px-4 pt-4 pb-4 md:px-6">
          <h1 className="min-w-0 flex-1 basis-full text-title md:basis-0">{title}</h1>
          {search && <SearchBox {...search} />}
          {actions}
          <ExportLinks call={call} filters={filters} />
        </div>
        {children}
        {tabs ? (
          <>
            <Tabs {...tabs} size="s" className="mx-4 shrink-0 md:mx-6" />
            <TabPanel id={tabs.id} value={tabs.value}>
              {rows}
            </TabPanel>
          </>
        ) : (
          rows
        )}
      </main>
      {detail}
    </div>
  )
}
