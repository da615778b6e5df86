import Headphones from 'lucide-react/icons/headphones'
import LogOut from 'lucide-react/icons/log-out'
import MessagesSquare from 'lucide-react/icons/messages-square'
import { useEffect } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Card, SectionLabel } from '#ui/card.tsx'
import { formatMoney } from '#ui/format.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { Histories, ICON } from '#web/screens/account/histories.tsx'
import { LeaveForm } from '#web/screens/leave/leave-form.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { WithdrawalList } from '#web/screens/withdrawal-history/withdrawal-list.tsx'
import { type User, useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useLogout } from '#web/shell/use-logout.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

export const LeaveScreen = withData(Leave)

/** The screen for a user whom staff have blocked: the withdrawal of all money, and the user's own records. */
function Leave() {
  const user = useSession()?.user
  const logout = useLogout()
  useEffect(() => void refreshUser(), [])
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('screen.leave')}
      header={<DeepHeader title={t('screen.leave')} parent="/" />}
      width="form"
      className="flex flex-col gap-3 pt-1 pb-8"
    >
      <Blocked user={user} />
      <Money user={user} />
      <SectionLabel>{t('withdrawal_history.list')}</SectionLabel>
      <WithdrawalList />
      <Histories />
      <List className="mt-4">
        {user.customer_link !== null && user.customer_link !== '' && (
          <ListRow
            icon={<Headphones {...ICON} />}
            label={t('account.customer_service')}
            href={user.customer_link}
            external
          />
        )}
        <ListRow icon={<MessagesSquare {...ICON} />} label={t('screen.tickets')} href="/tickets" />
        <ListRow icon={<LogOut {...ICON} className="flip" />} label={t('account.logout')} onClick={logout} end={null} />
      </List>
    </Page>
  )
}

/** The reason that staff gave for the block, or when the account was closed. */
function Blocked({ user: { leaving } }: { user: User }) {
  if (!leaving) return null
  if (leaving.closed_at !== null)
    return <Alert tone="info">{t('leave.closed', { time: whenText(leaving.closed_at) })}</Alert>
  return (
    <Alert tone="danger" title={t('leave.blocked')}>
      {t('leave.reason')}: <span dir="auto">{leaving.reason}</span>
    </Alert>
  )
}

function Money({ user }: { user: User }) {
  const query = useCallQuery('GET /user/leave', {})
  const methods = useCallQuery('GET /user/payment-gateways/withdraw', {})
  if (query.data === undefined) return <LoadingCard query={query} />
  if (methods.data === undefined) return <LoadingCard query={methods} />
  const { available, principal, leave, code_to: codeTo } = query.data.data
  const shown = (amount: number) => formatMoney(moneyOf(amount), { symbol: user.currency_symbol })
  return (
    <>
      <Card>
        <p className="font-semibold">{t('withdraw.available', { amount: shown(available) })}</p>
        {principal > 0 && available > principal && (
          <p className="text-small text-fg-2">{t('leave.principal', { amount: shown(principal) })}</p>
        )}
        {user.open_orders > 0 && (
          <p className="mt-1 text-small">{t('leave.open_orders', { count: user.open_orders })}</p>
        )}
        <LeaveState leave={leave} />
      </Card>
      {available > 0 && (
        <LeaveForm user={user} methods={methods.data.data.methods} available={moneyOf(available)} codeTo={codeTo} />
      )}
    </>
  )
}

function LeaveState({ leave }: Pick<Reply<'GET /user/leave'>, 'leave'>) {
  if (leave?.state === 'open')
    return <p className="mt-1 text-small">{t('leave.requested', { time: whenText(leave.requested_at) })}</p>
  if (leave?.state !== 'refused' || leave.again_at === null) return null
  return <p className="mt-1 text-small text-danger">{t('refusal.leave_refused', { time: whenText(leave.again_at) })}</p>
}
