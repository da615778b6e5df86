import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { StaffListCall } from '#contract/back-office/staff-call.ts'
import { useStaffList } from '#back-office/api/queries.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ExportLinks } from '#back-office/list/export-links.tsx'
import { ListRows } from '#back-office/list/list-rows.tsx'

interface PartListProps<C extends StaffListCall> {
  title: string
  call: C
  params?: Readonly<Record<string, string>>
  filters?: Readonly<Record<string, string>>
  columns: readonly Column<z.output<C['row']>>[]
  keyOf: (row: z.output<C['row']>) => string
  onOpen?: (row: z.output<C['row']>) => void
  empty: string
  /** Shown between title and export links: tabs and filters. */
  children?: ReactNode
}

/** A list that is one part of a page, with its export links. */
export function PartList<C extends StaffListCall>(props: PartListProps<C>) {
  const { title, call, params = {}, filters = {}, columns, keyOf, onOpen, empty, children } = props
  const list = useStaffList(call, filters, params)
  return (
    <section aria-label={title}>
      <div className="flex min-h-14 flex-wrap items-center gap-3 px-4 pt-2 md:px-6">
        <div className="min-w-0 flex-1">{children ?? <h2 className="font-semibold">{title}</h2>}</div>
        <ExportLinks call={call} params={params} filters={filters} small />
      </div>
      <ListRows label={title} list={list} columns={columns} keyOf={keyOf} onOpen={onOpen} empty={empty} />
    </section>
  )
}
