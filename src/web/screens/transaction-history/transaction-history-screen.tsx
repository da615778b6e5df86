import { useId, useState } from 'react'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { Adjustments } from '#web/screens/transaction-history/adjustments.tsx'
import { ClosedTransactions } from '#web/screens/transaction-history/closed-transactions.tsx'
import { PendingTransactions } from '#web/screens/transaction-history/pending-transactions.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useAccount } from '#web/session/account.ts'
import { usePracticeAccount } from '#web/site/practice-account.ts'
import { useSession } from '#web/session/session.ts'

export const TransactionHistoryScreen = withData(TransactionHistory)

const TABS = ['pending', 'closed', 'adjustments'] as const

function TransactionHistory() {
  const id = useId()
  const [tab, setTab] = useState<(typeof TABS)[number]>('pending')
  const account = useAccount()
  const openLive = useSession()?.user.open_orders ?? 0
  const openPractice = usePracticeAccount()?.open_orders ?? 0
  const open = account === 'live' ? openLive : openPractice
  // Practice has no adjustments by staff.
  const tabs = TABS.filter((value) => account === 'live' || value !== 'adjustments')
  const shown = tabs.includes(tab) ? tab : 'pending'
  const title = t('transaction_history.title')
  return (
    <Page
      title={t('screen.transaction_history')}
      header={<DeepHeader title={title} crumb={t('transaction_history.crumb')} parent="/wallet" />}
      className="pb-8"
    >
      <Tabs
        id={id}
        label={t('transaction_history.tabs')}
        tabs={tabs.map((value) => ({
          value,
          label: t(`transaction_history.${value}`),
          ...(value === 'pending' && open > 0 && { count: open }),
        }))}
        value={shown}
        onChange={setTab}
        className="-mx-(--gutter) mb-3 px-(--gutter)"
      />
      <TabPanel key={account} id={id} value={shown}>
        {shown === 'pending' && <PendingTransactions />}
        {shown === 'closed' && <ClosedTransactions />}
        {shown === 'adjustments' && <Adjustments />}
      </TabPanel>
    </Page>
  )
}
