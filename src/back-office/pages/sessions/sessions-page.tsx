import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Pill } from '#ui/pill.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { type Column, DataTable } from '#back-office/list/data-table.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

type Session = StaffReply<typeof staffCalls.staffSessions>['sessions'][number]
/** A session, with the function that ends it and whether that call is pending. */
type Row = Session & { readonly endIt: (id: string) => void; readonly isEnding: boolean }

/** The staff member's own sessions, or all sessions for owners, with a button to end each. */
export function SessionsPage() {
  const toast = useToast()
  const seesEveryone = useMay('staff.manage')
  const found = useStaffQuery(staffCalls.staffSessions, {})
  const end = useStaffChange(staffCalls.staffEndSession, {
    onDone: () => toast({ tone: 'success', text: t('sessions.ended') }),
    alsoAreas: ['staff'],
  })
  const endIt = (id: string) => end.mutate({ params: { id } })
  const endingId = end.isPending ? end.variables.params.id : null
  const rows = found.data?.sessions.map((session) => ({ ...session, endIt, isEnding: session.id === endingId }))
  return (
    <main id="content" className="flex min-w-0 flex-1 flex-col lg:h-dvh lg:overflow-y-auto">
      <header className="px-4 pt-4 pb-4 md:px-6">
        <h1 className="text-title">{t('nav.sessions')}</h1>
        <p className="text-fg-2">{t(seesEveryone ? 'sessions.of_everyone' : 'sessions.own')}</p>
      </header>
      {end.error && (
        <Alert tone="danger" className="mx-4 mb-3 md:mx-6">
          {failureText(end.error)}
        </Alert>
      )}
      {found.isPending && (
        <div aria-busy="true" className="px-6">
          <SkeletonRows count={3} rowHeight={52} />
        </div>
      )}
      {found.isError && found.data === undefined && <LoadFailure query={found} />}
      {rows && <DataTable label={t('nav.sessions')} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      {found.data && (
        <>
          <h2 className="px-4 pt-8 pb-3 text-heading md:px-6">{t('sessions.log_ins')}</h2>
          <DataTable
            label={t('sessions.log_ins')}
            columns={LOG_IN_COLUMNS}
            rows={found.data.log_ins.map((logIn, place) => ({ ...logIn, place }))}
            keyOf={({ place }) => String(place)}
          />
        </>
      )}
    </main>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'who',
    head: t('sessions.who'),
    cell: ({ name, user_agent: device }) => (
      <span className="block min-w-0">
        <span className="block truncate font-list">{name}</span>
        <span className="block max-w-[26ch] truncate md:max-w-[48ch] text-caption text-fg-3">{device}</span>
      </span>
    ),
  },
  {
    id: 'address',
    head: t('sessions.address'),
    from: 'md',
    cell: ({ address }) => <span className="num">{address}</span>,
  },
  {
    id: 'since',
    head: t('sessions.since'),
    from: 'lg',
    cell: ({ created_at: created }) => <span className="num whitespace-nowrap">{time(created)}</span>,
  },
  {
    id: 'seen',
    head: t('sessions.seen'),
    from: 'md',
    cell: ({ seen_at: seen }) => <span className="num whitespace-nowrap">{time(seen)}</span>,
  },
  {
    id: 'end',
    head: <span className="sr-only">{t('sessions.end')}</span>,
    end: true,
    cell: ({ id, name, is_this: isThis, endIt, isEnding }) =>
      isThis ? (
        <Pill tone="brand">{t('sessions.this')}</Pill>
      ) : (
        <Button
          variant="secondary"
          size="s"
          aria-label={t('sessions.end_of', { name })}
          loading={isEnding}
          onClick={() => endIt(id)}
        >
          {t('sessions.end')}
        </Button>
      ),
  },
]

type LogIn = StaffReply<typeof staffCalls.staffSessions>['log_ins'][number] & { readonly place: number }

const LOG_IN_COLUMNS: readonly Column<LogIn>[] = [
  {
    id: 'at',
    head: t('sessions.since'),
    cell: ({ at }) => <span className="num whitespace-nowrap">{time(at)}</span>,
  },
  { id: 'device', head: t('sessions.device'), cell: ({ device }) => device || '–' },
  {
    id: 'from',
    head: t('sessions.address'),
    from: 'md',
    cell: ({ address }) => <span className="num">{address}</span>,
  },
  {
    id: 'result',
    head: t('sessions.result'),
    end: true,
    cell: ({ is_done: isDone }) => (
      <Pill tone={isDone ? 'brand' : 'warn'}>{t(isDone ? 'sessions.done' : 'sessions.failed')}</Pill>
    ),
  },
]
