import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { LatestDeposits } from '#web/screens/account-history/latest-deposits.tsx'
import { LatestTransactions } from '#web/screens/account-history/latest-transactions.tsx'
import { LatestWithdrawals } from '#web/screens/account-history/latest-withdrawals.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'
import { useShowsDeposits } from '#web/site/settings.ts'

export const AccountHistoryScreen = withData(AccountHistory)

/** The latest entries of the three histories, with links to each. */
function AccountHistory() {
  const showsDeposits = useShowsDeposits(useSession()?.user)
  return (
    <Page
      title={t('screen.accountHistory')}
      header={<DeepHeader title={t('screen.accountHistory')} parent="/account" />}
      // The second and third list stay hidden until the lists above them have their final heights.
      className="flex flex-col gap-5 pt-1 pb-8 [&:has([aria-busy=true])>*:not(:first-child)]:invisible"
    >
      {showsDeposits && <LatestDeposits />}
      <LatestWithdrawals />
      <LatestTransactions />
    </Page>
  )
}
