import { type ColumnDef, type TableFeatures, tableFeatures, useTable } from '@tanstack/react-table'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cx } from '#ui/cx.ts'

const FEATURES = tableFeatures({})

/** A column of a list: its heading and how its cells are rendered. */
export interface Column<Row> {
  readonly id: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Aligns figures at the end of their cell. */
  readonly end?: boolean
  /** The column is hidden on windows narrower than this breakpoint. */
  readonly from?: 'md' | 'lg' | 'xl'
}

interface DataTableProps<Row extends object> {
  /** Name of the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Makes rows open by a press or Enter. J and K move to the next and previous row. */
  onOpen?: ((row: Row) => void) | undefined
  openKey?: string | undefined
}

const FROM = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell', xl: 'hidden xl:table-cell' } as const

/** The rows of a list, to read and open. Actions on a row are in its detail pane. */
export function DataTable<Row extends object>({ label, columns, rows, keyOf, onOpen, openKey }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const table = useTable({
    features: FEATURES,
    data: rows,
    getRowId: keyOf,
    columns: columns.map(({ id }): ColumnDef<TableFeatures & typeof FEATURES, Row> => ({ id })),
  })
  const byId = new Map(columns.map((column) => [column.id, column]))
  return (
    <table aria-label={label} className="w-full border-collapse">
      <thead>
        <tr className="sticky top-0 z-10 bg-surface shadow-[inset_0_-1px_0_var(--line)]">
          {columns.map(({ id, head, end, from }) => (
            <th
              key={id}
              scope="col"
              className={cx(
                'h-10 px-3 text-caption font-medium whitespace-nowrap text-fg-3 first:ps-6 last:pe-6',
                end ? 'text-end' : 'text-start',
                from && FROM[from],
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            data-row
            tabIndex={onOpen ? 0 : undefined}
            aria-current={row.id === openKey ? 'true' : undefined}
            onClick={onOpen && (() => onOpen(row.original))}
            onKeyDown={
              onOpen &&
              ((event) => {
                if (event.target !== event.currentTarget) return
                if (event.key === 'Enter') onOpen(row.original)
                else moveByKeys(event, body.current)
              })
            }
            className={cx(
              'border-b border-line focus-visible:-outline-offset-2',
              onOpen && 'cursor-pointer',
              row.id === openKey ? 'bg-brand-tint shadow-[inset_2px_0_0_var(--brand)]' : onOpen && 'hover:bg-surface-2',
            )}
          >
            {row.getAllCells().map((cell) => {
              const column = byId.get(cell.column.id)
              return (
                <td
                  key={cell.id}
                  className={cx(
                    'h-13 px-3 py-1.5 first:ps-6 last:pe-6',
                    column?.end && 'text-end',
                    column?.from && FROM[column.from],
                  )}
                >
                  {column?.cell(row.original)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Moves the focus with J or the down arrow to the next row, and with K or the up arrow to the previous one. */
function moveByKeys(event: KeyboardEvent, body: HTMLElement | null): void {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (step === undefined || body === null || event.metaKey || event.ctrlKey || event.altKey) return
  const rows = [...body.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  if (at < 0) return
  event.preventDefault()
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus()
}
