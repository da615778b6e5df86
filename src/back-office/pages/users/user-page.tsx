import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useEffect, useRef } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { useFilters } from '#back-office/list/use-filters.ts'
import { UserAccess } from '#back-office/pages/users/user-access.tsx'
import { UserAccount } from '#back-office/pages/users/user-account.tsx'
import { UserMarks } from '#back-office/pages/users/user-marks.tsx'
import { UserNotes } from '#back-office/pages/users/user-notes.tsx'
import { UserOrders } from '#back-office/pages/users/user-orders.tsx'
import { UserPayments } from '#back-office/pages/users/user-payments.tsx'
import { UserStatement } from '#back-office/pages/users/user-statement.tsx'
import { t } from '#back-office/i18n/t.ts'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

const TABS = ['account', 'statement', 'orders', 'payments', 'access', 'notes'] as const

/** The page of one user. The open tab is kept in the address. */
export function UserPage({ id }: { id: string }) {
  const user = useStaffQuery(staffCalls.staffUser, { params: { id } })
  const [{ tab: tabParam }, setFilter] = useFilters(['tab'])
  const tab = TABS.find((one) => one === tabParam) ?? 'account'
  return (
    <main id="content" className="flex min-w-0 flex-col lg:h-dvh lg:overflow-y-auto" aria-busy={user.isPending}>
      <Link
        href="/users"
        className="mx-4 mt-3 inline-flex min-h-11 items-center gap-1.5 self-start text-caption text-fg-2 hover:text-fg md:mx-6 lg:min-h-9"
      >
        <ArrowLeft size={14} className="rtl:rotate-180" aria-hidden="true" />
        {t('users.back')}
      </Link>
      {user.isPending && (
        <div className="px-6">
          <SkeletonRows count={6} rowHeight={52} />
        </div>
      )}
      {user.isError && user.data === undefined && <LoadFailure query={user} />}
      {user.data && (
        <>
          <Head user={user.data} />
          <Tabs
            id="user"
            label={t('users.tabs')}
            tabs={TABS.map((value) => ({ value, label: t(`users.tab_${value}`) }))}
            value={tab}
            onChange={(value) => setFilter('tab', value === 'account' ? '' : value)}
            size="s"
            className="mx-4 shrink-0 md:mx-6"
          />
          <TabPanel id="user" value={tab} className="min-w-0 pb-10">
            <Content tab={tab} user={user.data} />
          </TabPanel>
        </>
      )}
    </main>
  )
}

function Head({ user }: { user: UserData }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex items-center gap-3 px-4 pb-3 md:px-6">
      <Avatar name={user.username} size={44} />
      <div className="min-w-0 flex-1">
        <h1 ref={heading} tabIndex={-1} className="truncate text-title outline-none">
          {user.username}
        </h1>
        <span className="mono block truncate text-fg-3">{user.id}</span>
      </div>
      <UserMarks user={user} />
    </div>
  )
}

function Content({ tab, user }: { tab: (typeof TABS)[number]; user: UserData }) {
  switch (tab) {
    case 'account':
      return <UserAccount user={user} />
    case 'statement':
      return <UserStatement userId={user.id} />
    case 'orders':
      return <UserOrders userId={user.id} />
    case 'payments':
      return <UserPayments username={user.username} />
    case 'access':
      return <UserAccess user={user} />
    case 'notes':
      return <UserNotes userId={user.id} />
  }
}
