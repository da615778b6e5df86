import type { ClosureRow } from '#contract/back-office/market-hours.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffList } from '#back-office/api/queries.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListRows } from '#back-office/list/list-rows.tsx'
import { endTime, shortTime } from '#back-office/pages/hours/short-time.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { planned: 'pending', 'going-on': 'rejected', over: 'cancelled' } as const

/** The planned closures, latest first. */
export function PlannedClosures() {
  const closures = useStaffList(staffCalls.staffClosures, {})
  return (
    <section aria-labelledby="closures" className="card overflow-hidden">
      <h2 id="closures" className="px-5 pt-5 pb-2 text-heading font-semibold">
        {t('markets.closures')}
      </h2>
      <ListRows
        label={t('markets.closures')}
        list={closures}
        columns={COLUMNS}
        keyOf={(row) => row.id}
        empty={t('markets.no_closures')}
      />
    </section>
  )
}

/** Cancels a closure that is planned or under way. */
function CancelClosure({ closure: { id, state } }: { closure: ClosureRow }) {
  const mayEdit = useMay('markets.edit')
  const toast = useToast()
  const cancel = useStaffChange(staffCalls.staffCancelClosure, {
    onDone: () => toast({ tone: 'success', text: t('markets.cancelled') }),
  })
  if (!mayEdit || state === 'over') return null
  return (
    <>
      <Button
        variant="secondary"
        size="s"
        loading={cancel.isPending}
        onClick={() => !cancel.isPending && cancel.mutate({ params: { id } })}
      >
        {t('markets.cancel_closure')}
      </Button>
      {cancel.error && <span className="block text-caption text-danger">{failureText(cancel.error)}</span>}
    </>
  )
}

const COLUMNS: readonly Column<ClosureRow>[] = [
  {
    id: 'market',
    head: t('markets.market'),
    cell: (row) => (
      <span>
        <span className="block font-list">{t(`markets.${row.market_type}`)}</span>
        <span className="block max-w-[240px] truncate text-caption text-fg-3">{row.reason}</span>
      </span>
    ),
  },
  {
    id: 'when',
    head: t('markets.when'),
    cell: (row) => (
      <span className="num">
        <span className="block">{shortTime(row.from)}</span>
        <span className="block text-caption text-fg-3">{t('markets.until', { time: endTime(row) })}</span>
      </span>
    ),
  },
  {
    id: 'state',
    head: t('common.state'),
    from: 'md',
    cell: (row) => <OutcomePill outcome={OUTCOME[row.state]}>{t(`markets.closure_${row.state}`)}</OutcomePill>,
  },
  { id: 'cancel', head: '', end: true, cell: (row) => <CancelClosure closure={row} /> },
]
