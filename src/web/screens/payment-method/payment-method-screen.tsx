import { useState } from 'react'
import { isFromWithdraw } from '#core/navigation/withdraw-flow.ts'
import { Card } from '#ui/card.tsx'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { CallFailure, failureText } from '#web/api/call-failure.ts'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { OperatorText } from '#web/forms/operator-text.tsx'
import { t } from '#web/i18n/t.ts'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { DetailsForm } from '#web/screens/payment-method/details-form.tsx'
import { SavedDetails } from '#web/screens/payment-method/saved-details.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useQueryText } from '#web/session/use-query-text.ts'

export const PaymentMethodScreen = withData(PaymentMethod)

function PaymentMethod({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const query = useCallQuery('GET /user/withdrawals/user-withdrawals/:id', { params: { id } })
  const title = query.data?.data.method.name ?? t('screen.PaymentMethod')
  return (
    <Page
      title={title}
      header={<DeepHeader title={title} crumb={t('payment_method.crumb')} parent="/account/withdrawal-methods" />}
      className="pt-1"
    >
      {query.isPending ? (
        <Loading />
      ) : query.data === undefined ? (
        <Failed error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        <Details key={id} details={query.data.data} />
      )}
    </Page>
  )
}

type DetailsReply = Reply<'GET /user/withdrawals/user-withdrawals/:id'>

/** The saved details. The form opens immediately if details are missing or the user came to edit them. */
function Details({ details }: { details: DetailsReply }) {
  const { method, withdrawal_information: fields } = details
  const cameToFillIn = isFromWithdraw(useQueryText())
  const [editing, setEditing] = useState(!method.hasMethod || cameToFillIn)
  return (
    <>
      <OperatorText html={method.description} />
      {editing ? (
        <DetailsForm method={method} fields={fields} />
      ) : (
        <SavedDetails fields={fields} onEdit={() => setEditing(true)} />
      )}
    </>
  )
}

function Failed({ error, retrying, onRetry }: { error: unknown; retrying: boolean; onRetry: () => void }) {
  // The method does not exist or was removed, so a retry does not help.
  if (error instanceof CallFailure && error.kind === 'refused') {
    return (
      <Card>
        <Empty title={t('common.no_data')}>{t('payment_method.gone')}</Empty>
      </Card>
    )
  }
  return (
    <Card padded={false}>
      <LoadError reason={failureText(error)} retryLabel={t('common.try_again')} onRetry={onRetry} retrying={retrying} />
    </Card>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton height={20} width="70%" />
      <Skeleton height={56} className="rounded-field!" />
      <Skeleton height={56} className="rounded-field!" />
      <Skeleton height={56} className="rounded-field!" />
    </div>
  )
}
