import { useId, useState } from 'react'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { Adjustments } from '#web/screens/transaction-history/adjustments.tsx'
import { ClosedTransactions } from '#web/screens/transaction-history/closed-transactions.tsx'
import { PendingTransactions } from '#web/screens/transaction-history/pending-transactions.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'

export const TransactionHistoryScreen = withData(TransactionHistory)

const TABS = ['pending', 'closed', 'adjustments'] as const

function TransactionHistory() {
  const id = useId()
  const [tab, setTab] = useState<(typeof TABS)[number]>('pending')
  const open = useSession()?.user.open_orders ?? 0
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
        tabs={TABS.map((value) => ({
          value,
          label: t(`transaction_history.${value}`),
          ...(value === 'pending' && open > 0 && { count: open }),
        }))}
        value={tab}
        onChange={setTab}
        className="-mx-(--gutter) mb-3 px-(--gutter)"
      />
      <TabPanel id={id} value={tab}>
        {tab === 'pending' && <PendingTransactions />}
        {tab === 'closed' && <ClosedTransactions />}
        {tab === 'adjustments' && <Adjustments />}
      </TabPanel>
    </Page>
  )
}
