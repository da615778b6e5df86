import type { z } from 'zod'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Empty, SkeletonRows } from '#ui/states.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { PartList } from '#back-office/list/part-list.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { UserKeys } from '#back-office/pages/users/user-keys.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

/** The sessions and keys of a user, and the codes sent to them. */
export function UserAccess({ user }: { user: UserData }) {
  return (
    <>
      <Sessions userId={user.id} />
      <UserKeys user={user} />
      <PartList
        title={t('users.codes')}
        call={staffCalls.staffUserCodes}
        params={{ id: user.id }}
        columns={CODES}
        keyOf={({ id }) => id}
        empty={t('users.codes_none')}
      />
    </>
  )
}

const CODES: readonly Column<z.output<typeof staffCalls.staffUserCodes.row>>[] = [
  { id: 'time', head: t('users.time'), cell: (row) => <span className="num text-fg-2">{time(row.time)}</span> },
  { id: 'kind', head: t('users.kind'), cell: ({ kind }) => kindText(kind) },
  { id: 'to', head: t('users.sent_to'), cell: ({ sent_to: to }) => to },
]

function kindText(kind: string): string {
  if (kind === 'verify_account') return t('users.code_verify_account')
  return kind === 'reset_password' ? t('users.code_reset_password') : kind
}

type Session = StaffReply<typeof staffCalls.staffUserSessions>['sessions'][number]

function Sessions({ userId }: { userId: string }) {
  const toast = useToast()
  const mayEnd = useMay('users.manage')
  const sessions = useStaffQuery(staffCalls.staffUserSessions, { params: { id: userId } })
  const onDone = () => toast({ tone: 'success', text: t('users.sessions_ended') })
  const endOne = useStaffChange(staffCalls.staffEndUserSession, { onDone })
  const endAll = useStaffChange(staffCalls.staffEndUserSessions, { onDone })
  const failure = endOne.error ?? endAll.error
  const isBusy = endOne.isPending || endAll.isPending
  const rows = sessions.data?.sessions
  return (
    <section aria-label={t('users.sessions')} className="px-4 pt-2 md:px-6" aria-busy={sessions.isPending}>
      <div className="flex min-h-14 items-center gap-3">
        <h2 className="flex-1 font-semibold">{t('users.sessions')}</h2>
        {mayEnd && rows !== undefined && rows.length > 0 && (
          <Button
            variant="danger"
            size="s"
            loading={endAll.isPending}
            disabled={endOne.isPending}
            onClick={() => !isBusy && endAll.mutate({ params: { id: userId } })}
          >
            {t('users.session_end_all')}
          </Button>
        )}
      </div>
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      {sessions.isPending && <SkeletonRows count={2} rowHeight={52} />}
      {sessions.isError && rows === undefined && <LoadFailure query={sessions} />}
      {rows?.length === 0 && <Empty title={t('common.nothing')}>{t('users.sessions_none')}</Empty>}
      <ul>
        {rows?.map((session) => (
          <li key={session.id} className="flex min-h-13 items-center gap-3 border-b border-line py-2">
            <Device session={session} />
            {mayEnd && (
              <Button
                variant="secondary"
                size="s"
                loading={endOne.isPending && endOne.variables.params.session === session.id}
                disabled={isBusy}
                onClick={() => !isBusy && endOne.mutate({ params: { id: userId, session: session.id } })}
              >
                {t('users.session_end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Device({ session }: { session: Session }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate" title={session.user_agent}>
        {session.user_agent || t('users.unknown_device')}
      </span>
      <span className="num block text-caption text-fg-3">
        {t('users.session_opened', { time: time(session.created_at) })} · {session.address}
      </span>
    </span>
  )
}
