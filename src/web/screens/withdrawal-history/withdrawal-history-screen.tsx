import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { WithdrawalList } from '#web/screens/withdrawal-history/withdrawal-list.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export const WithdrawalHistoryScreen = withData(WithdrawalHistory)

function WithdrawalHistory() {
  return (
    <Page
      title={t('screen.withdrawal_history')}
      header={
        <DeepHeader title={t('withdrawal_history.title')} crumb={t('withdrawal_history.crumb')} parent="/wallet" />
      }
      className="pt-1 pb-8"
    >
      <WithdrawalList />
    </Page>
  )
}
