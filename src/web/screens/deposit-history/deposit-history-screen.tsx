import { Alert } from '#ui/alert.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { DepositList } from '#web/screens/deposit-history/deposit-list.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useDepositsClosed } from '#web/site/settings.ts'

export const DepositHistoryScreen = withData(DepositHistory)

function DepositHistory() {
  const whyClosed = useDepositsClosed()
  return (
    <Page
      title={t('screen.deposit_history')}
      header={<DeepHeader title={t('deposit_history.title')} crumb={t('deposit_history.crumb')} parent="/wallet" />}
      className="pt-1 pb-8"
    >
      {whyClosed !== null && (
        <Alert tone="info" className="mb-3">
          {whyClosed}
        </Alert>
      )}
      <DepositList />
    </Page>
  )
}
