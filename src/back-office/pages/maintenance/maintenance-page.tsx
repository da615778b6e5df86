import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { MaintenanceRow } from '#contract/back-office/maintenance.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/cx.ts'
import { Field } from '#ui/field.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { fromUtcField } from '#back-office/editor/utc-field.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { time } from '#back-office/i18n/format.ts'
import { type Column, DataTable } from '#back-office/list/data-table.tsx'
import { NotLoaded } from '#back-office/list/load-failure.tsx'
import { t } from '#back-office/i18n/t.ts'

type State = StaffReply<typeof staffCalls.staffMaintenance>

const REFRESH_MS = 5_000
const OUTCOMES = { planned: 'pending', running: 'rejected', over: 'success', cancelled: 'cancelled' } as const

/** Planned pauses of trading, and whether the servers can be stopped. */
export function MaintenancePage() {
  const query = useStaffQuery(staffCalls.staffMaintenance, {}, { everyMs: REFRESH_MS })
  return (
    <main id="content" className="flex min-w-0 flex-1 flex-col gap-5 px-4 pt-4 pb-8 md:px-6">
      <h1 className="text-title">{t('nav.maintenance')}</h1>
      {query.data ? (
        <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
          <div className="flex min-w-0 flex-col gap-4">
            <Times items={query.data.items} />
            <Readiness state={query.data} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Plan earliest={query.data.earliest} />
            <Pause />
          </div>
        </div>
      ) : (
        <NotLoaded query={query} count={6} />
      )}
    </main>
  )
}

function Times({ items }: { items: readonly MaintenanceRow[] }) {
  return (
    <section aria-labelledby="times" className="card overflow-hidden">
      <h2 id="times" className="px-5 pt-5 pb-2 text-heading font-semibold">
        {t('maintenance.times')}
      </h2>
      {items.length === 0 ? (
        <p className="px-5 pb-5 text-fg-2">{t('maintenance.none')}</p>
      ) : (
        <DataTable label={t('maintenance.times')} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
      )}
    </section>
  )
}

function Readiness({ state: { open_orders: open, waiting_orders: waiting, ledger } }: { state: State }) {
  const isReady = open === 0 && ledger === 'clean'
  return (
    <section aria-labelledby="ready" className="card p-5">
      <h2 id="ready" className="pb-2 text-heading font-semibold">
        {t('maintenance.ready')}
      </h2>
      <Facts>
        <Fact name={t('maintenance.open_orders')}>{open}</Fact>
        <Fact name={t('maintenance.waiting_orders')}>{waiting}</Fact>
        <Fact name={t('maintenance.ledger')}>{t(`dashboard.ledger_${ledger}`)}</Fact>
      </Facts>
      {waiting > 0 && <p className="pt-1 text-caption text-fg-3">{t('maintenance.waiting_help')}</p>}
      <output className={cx('block pt-2 font-semibold', isReady ? 'text-ok' : 'text-warn')}>
        {t(isReady ? 'maintenance.can_stop' : 'maintenance.can_stop_not')}
      </output>
    </section>
  )
}

function Plan({ earliest }: { earliest: string }) {
  const toast = useToast()
  const form = useForm({ defaultValues: { from: '', to: '', words: '' } })
  const plan = useStaffChange(staffCalls.staffPlanMaintenance)
  const { errors, isSubmitting } = form.formState
  const needed = { required: t('maintenance.needed') }
  const submit = form.handleSubmit(({ from, to, words }) =>
    setFormErrors(form, async () => {
      await plan.mutateAsync({ body: { from: fromUtcField(from) ?? '', to: fromUtcField(to) ?? '', words } })
      form.reset()
      toast({ tone: 'success', text: t('maintenance.planned') })
    }),
  )
  return (
    <section aria-labelledby="plan" className="card p-5">
      <h2 id="plan" className="pb-1 text-heading font-semibold">
        {t('maintenance.plan')}
      </h2>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <p className="text-fg-2">{t('maintenance.plan_text')}</p>
        <p className="text-caption text-fg-3">{t('maintenance.earliest', { time: time(earliest) })}</p>
        <FormFailure form={form} />
        {(['from', 'to'] as const).map((name) => (
          <Field
            key={name}
            label={t(`maintenance.${name}`)}
            type="datetime-local"
            error={errors[name]?.message}
            {...form.register(name, needed)}
          />
        ))}
        <Field
          label={t('maintenance.words')}
          maxLength={300}
          error={errors.words?.message}
          {...form.register('words', { required: t('refusal.words_needed') })}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('maintenance.plan')}
        </Button>
      </form>
    </section>
  )
}

function Pause() {
  const toast = useToast()
  const [words, setWords] = useState('')
  const pause = useStaffChange(staffCalls.staffPauseTrading, {
    onDone: () => {
      setWords('')
      toast({ tone: 'success', text: t('maintenance.paused') })
    },
  })
  return (
    <section aria-labelledby="pause" className="card flex flex-col gap-3 p-5">
      <h2 id="pause" className="text-heading font-semibold">
        {t('maintenance.pause')}
      </h2>
      <p className="text-fg-2">{t('maintenance.pause_text')}</p>
      {pause.error && <Alert tone="danger">{failureText(pause.error)}</Alert>}
      <Field
        label={t('maintenance.words')}
        maxLength={300}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Button variant="danger" size="m" loading={pause.isPending} onClick={() => pause.mutate({ body: { words } })}>
        {t('maintenance.pause_button')}
      </Button>
    </section>
  )
}

function End({ row: { id, state, to } }: { row: MaintenanceRow }) {
  const toast = useToast()
  const end = useStaffChange(staffCalls.staffEndMaintenance, {
    onDone: () =>
      toast({ tone: 'success', text: t(state === 'planned' ? 'maintenance.cancelled' : 'maintenance.ended') }),
  })
  if (state !== 'planned' && state !== 'running') return null
  return (
    <>
      <Button variant="secondary" size="s" loading={end.isPending} onClick={() => end.mutate({ params: { id } })}>
        {t(state === 'running' || to === null ? 'maintenance.resume' : 'maintenance.cancel')}
      </Button>
      {end.error && <span className="block text-caption text-danger">{failureText(end.error)}</span>}
    </>
  )
}

const COLUMNS: readonly Column<MaintenanceRow>[] = [
  {
    id: 'when',
    head: t('maintenance.when'),
    cell: ({ from, to, words, state, ended_at: endAt }) => (
      <span>
        <span className="num block">{time(from)}</span>
        <span className="num block text-caption text-fg-3">
          {to !== null ? t('maintenance.until', { time: time(to) }) : endAt === null && t('maintenance.open_end')}
        </span>
        {endAt !== null && (
          <span className="num block text-caption text-fg-3">
            {t(state === 'cancelled' ? 'maintenance.cancelled_at' : 'maintenance.ended_at', { time: time(endAt) })}
          </span>
        )}
        <span className="block max-w-[40ch] text-caption break-words text-fg-2">{words}</span>
      </span>
    ),
  },
  { id: 'by', head: t('maintenance.by'), from: 'md', cell: ({ who }) => who },
  {
    id: 'state',
    head: t('maintenance.state'),
    cell: ({ state }) => <OutcomePill outcome={OUTCOMES[state]}>{t(`maintenance.state_${state}`)}</OutcomePill>,
  },
  { id: 'end', head: '', end: true, cell: (row) => <End row={row} /> },
]
