import ArrowDownWideNarrow from 'lucide-react/icons/arrow-down-wide-narrow'
import type { ComponentType } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { z } from 'zod'
import type { QueueFigures } from '#contract/back-office/money-queues.ts'
import type { StaffCall, StaffListCall } from '#contract/back-office/staff-call.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { age, duration, isOverdue, money } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { type Figure, FiguresStrip } from '#back-office/list/figures-strip.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { t } from '#back-office/i18n/t.ts'

type FiguresCall = StaffCall & { readonly method: 'GET'; readonly reply: z.ZodType<QueueFigures> }

interface QueuePageProps<C extends StaffListCall, Tab extends string> {
  /** Path of the page: `/deposits`. */
  href: string
  title: string
  call: C
  figures: { call: FiguresCall; sum: string; median: string }
  tabsLabel: string
  /** The states as tabs. `all` is not a state. */
  tabs: readonly { value: Tab; label: string }[]
  /** The tabs that list payments waiting for staff. */
  queues?: readonly Tab[]
  columns: readonly Column<z.output<C['row']>>[]
  keyOf: (row: z.output<C['row']>) => string
  empty: { waiting: string; other: string }
  Detail: ComponentType<{ trx: string; onClose: () => void }>
}

/**
 * A queue for staff to work through: figures, tabs by state, longest waiting first, and the open payment beside the
 * list.
 */
export function QueuePage<C extends StaffListCall, Tab extends string>(props: QueuePageProps<C, Tab>) {
  const { href, title, call, tabs, columns, keyOf, empty, Detail } = props
  const { trx } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state', 'search'])
  const query = useStaffQuery(props.figures.call, {})
  const figures = query.data
  const tab: string = tabs.find(({ value }) => value === filters.state)?.value ?? 'waiting'
  const isQueue = (props.queues ?? ['waiting', 'second_person']).some((one) => one === tab)
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  const counts: Readonly<Record<string, unknown>> = { ...figures }
  const countOf = (value: string) => {
    const count = counts[value]
    return typeof count === 'number' ? count : undefined
  }
  return (
    <ListPage
      title={title}
      call={call}
      filters={{ state: tab === 'all' ? '' : tab, search: filters.search }}
      columns={columns}
      keyOf={keyOf}
      onOpen={(row) => goTo(`${href}/${keyOf(row)}`)}
      openKey={trx}
      search={{
        placeholder: t('queue.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      tabs={{
        id: href.slice(1),
        label: props.tabsLabel,
        tabs: tabs.map(({ value, label }) => ({ value, label, count: countOf(value) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
        end: (
          <span className="hidden items-center gap-1.5 whitespace-nowrap md:flex">
            <ArrowDownWideNarrow size={15} aria-hidden="true" />
            {t(isQueue ? 'queue.oldest_first' : 'queue.newest_first')}
          </span>
        ),
      }}
      empty={isQueue ? empty.waiting : empty.other}
      detail={trx !== undefined && <Detail key={trx} trx={trx} onClose={() => goTo(href)} />}
    >
      <FiguresStrip label={t('queue.figures')} figures={stripOf(query, props.figures)} />
    </ListPage>
  )
}

/**
 * Returns the figures above the queue, empty while they load. A dash stands for a missing figure, or for all figures
 * after a failure.
 */
function stripOf(
  { data, isError }: { data: QueueFigures | undefined; isError: boolean },
  names: { sum: string; median: string },
): Figure[] {
  const shown = (text: string | null | undefined) => text ?? (data !== undefined || isError ? '–' : undefined)
  const { oldest_at: oldest, median_ms: median } = data ?? { oldest_at: null, median_ms: null }
  return [
    { name: t('queue.waiting'), value: shown(data && String(data.waiting)) },
    { name: names.sum, value: shown(data && money(data.sum)) },
    {
      name: t('queue.oldest'),
      value: shown(oldest && age(oldest)),
      tone: oldest !== null && isOverdue(oldest) ? 'warn' : undefined,
    },
    { name: names.median, value: shown(median === null ? null : duration(median)) },
  ]
}
