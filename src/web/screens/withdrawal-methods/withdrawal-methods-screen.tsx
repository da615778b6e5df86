import Landmark from 'lucide-react/icons/landmark'
import { methodPath } from '#core/navigation/withdraw-flow.ts'
import { Card } from '#ui/card.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export const WithdrawalMethodsScreen = withData(WithdrawalMethods)

function WithdrawalMethods() {
  return (
    <Page
      title={t('withdrawal_methods.title')}
      header={<DeepHeader title={t('withdrawal_methods.title')} parent="/wallet" />}
      className="pt-1 pb-8"
    >
      <Methods />
    </Page>
  )
}

function Methods() {
  const query = useCallQuery('GET /user/payment-gateways/withdraw', {})
  if (query.isPending) {
    return (
      <div aria-busy="true" className="card px-4 py-1">
        <span className="sr-only">{t('common.loading')}</span>
        <SkeletonRows count={3} rowHeight={60} />
      </div>
    )
  }
  const methods = query.data?.data.methods
  if (methods === undefined) {
    return (
      <Card padded={false}>
        <LoadError
          reason={failureText(query.error)}
          retryLabel={t('common.try_again')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </Card>
    )
  }
  if (methods.length === 0) {
    return (
      <Card>
        <Empty title={t('common.no_data')}>{t('withdrawal_methods.none')}</Empty>
      </Card>
    )
  }
  return (
    <>
      <p className="mb-3 px-0.5 text-small text-fg-2">{t('withdrawal_methods.explain')}</p>
      <List>
        {methods.map(({ id, name, hasMethod }) => (
          <ListRow
            key={id}
            icon={<Landmark size={20} strokeWidth={1.75} aria-hidden="true" />}
            label={name}
            detail={t(hasMethod ? 'withdrawal_methods.view' : 'withdrawal_methods.add')}
            href={methodPath(id, { fromWithdraw: false })}
          />
        ))}
      </List>
    </>
  )
}
