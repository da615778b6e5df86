import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Empty, SkeletonRows } from '#ui/states.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'
import { ReasonSheet } from '#back-office/pages/users/reason-sheet.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { useMay } from '#back-office/session/staff.ts'

type Key = StaffReply<typeof staffCalls.staffUserKeys>['keys'][number]

/** The active API keys of a user. Staff can revoke a key, with a reason. */
export function UserKeys({ user }: { user: UserData }) {
  const { id: userId } = user
  const mayEnd = useMay('users.manage')
  const query = useStaffQuery(staffCalls.staffUserKeys, { params: { id: userId } })
  const end = useStaffChange(staffCalls.staffEndUserKey)
  // Stored separately from `isOpen`, so that the name of the key stays readable while the sheet closes.
  const [ending, setEnding] = useState<Key | null>(null)
  const [isOpen, setOpen] = useState(false)
  const keys = query.data?.keys
  return (
    <section aria-label={t('users.keys')} className="px-4 pt-2 md:px-6" aria-busy={query.isPending}>
      <h2 className="flex min-h-14 items-center font-semibold">{t('users.keys')}</h2>
      {query.isPending && <SkeletonRows count={1} rowHeight={52} />}
      {query.isError && keys === undefined && <LoadFailure query={query} />}
      {keys?.length === 0 && <Empty title={t('common.nothing')}>{t('users.keys_none')}</Empty>}
      <ul>
        {keys?.map((key) => (
          <li key={key.id} className="flex min-h-13 items-center gap-3 border-b border-line py-2">
            <KeyFacts shown={key} />
            {mayEnd && (
              <Button
                variant="secondary"
                size="s"
                aria-label={t('users.key_end_title', { name: key.name })}
                onClick={() => {
                  setEnding(key)
                  setOpen(true)
                }}
              >
                {t('users.key_end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending !== null && (
        <ReasonSheet
          open={isOpen}
          onClose={() => setOpen(false)}
          title={t('users.key_end_title', { name: ending.name })}
          text={t('users.key_end_text')}
          isDanger
          user={user}
          send={({ reason }) => end.mutateAsync({ params: { id: userId, key: ending.id }, body: { reason } })}
        />
      )}
    </section>
  )
}

function KeyFacts({ shown }: { shown: Key }) {
  const { name, scope, created_at: made, expires_at: ends, used_at: used } = shown
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate" title={name}>
        {name} · {t(scope === 'trade' ? 'users.key_trade' : 'users.key_read')}
      </span>
      <span className="num block text-caption text-fg-3">
        {t('users.key_times', { made: time(made), ends: time(ends) })}
      </span>
      <span className="num block text-caption text-fg-3">
        {used === null ? t('users.key_unused') : t('users.key_used', { time: time(used) })}
      </span>
    </span>
  )
}
