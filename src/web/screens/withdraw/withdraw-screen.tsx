import { useEffect, useLayoutEffect, useState } from 'react'
import type { WithdrawalOut } from '#contract/withdrawals.ts'
import { wantedMethod, withdrawStep } from '#core/navigation/withdraw-flow.ts'
import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { WithdrawForm } from '#web/screens/withdraw/withdraw-form.tsx'
import { WithdrawSent } from '#web/screens/withdraw/withdraw-sent.tsx'
import { WithdrawalList } from '#web/screens/withdrawal-history/withdrawal-list.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { useGo } from '#web/session/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { refreshUser } from '#web/site/refresh-user.ts'
import { type User, useSession } from '#web/session/session.ts'
import { useIsDesktop } from '#web/shell/use-is-desktop.ts'
import { useQueryText } from '#web/session/use-query-text.ts'

export const WithdrawScreen = withData(Withdraw)

function Withdraw() {
  const isDesktop = useIsDesktop()
  const user = useSession()?.user
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('withdraw.title')}
      header={isDesktop ? undefined : <DeepHeader title={t('withdraw.title')} parent="/wallet" />}
      width={isDesktop ? 'wide' : 'form'}
      className="pt-1 lg:pt-8 lg:pb-8"
    >
      {isDesktop ? (
        <div className="grid grid-cols-[480px_minmax(0,1fr)] items-start gap-8">
          <section>
            <h1 className="mb-4 text-title">{t('withdraw.title')}</h1>
            <Steps user={user} />
          </section>
          <section>
            <h2 className="mb-4 text-title">{t('withdrawal_history.list')}</h2>
            <WithdrawalList />
          </section>
        </div>
      ) : (
        <Steps user={user} />
      )}
    </Page>
  )
}

function Steps({ user }: { user: User }) {
  const [sent, setSent] = useState<WithdrawalOut | null>(null)
  const isCurrent = useCurrentUser()
  const query = useCallQuery('GET /user/payment-gateways/withdraw', {})
  if (sent) return <WithdrawSent withdrawal={sent} />
  // The PIN may have been set on another device, so wait for the account before a redirect to the PIN page.
  const mayBeOutdated = !isCurrent && !user.withdrawal_code_enabled
  if (query.isPending || mayBeOutdated) return <Loading />
  if (query.data === undefined) {
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
  return <FormOrElse user={user} site={query.data.data} onSent={setSent} />
}

/** Reloads the account once. Returns true after the reload. */
function useCurrentUser(): boolean {
  const [isCurrent, setIsCurrent] = useState(false)
  useEffect(() => {
    let isLeft = false
    void refreshUser().then(() => !isLeft && setIsCurrent(true))
    return () => {
      isLeft = true
    }
  }, [])
  return isCurrent
}

interface FormOrElseProps {
  user: User
  site: Reply<'GET /user/payment-gateways/withdraw'>
  onSent: (withdrawal: WithdrawalOut) => void
}

/**
 * The form once all its requirements are met. Otherwise redirects to the missing step, or shows the reason while
 * withdrawals are closed.
 */
function FormOrElse({ user, site, onSent }: FormOrElseProps) {
  const { methods, withdraw_status, withdraw_reason } = site
  const go = useGo()
  const isClosed = withdraw_status === 0
  const step = withdrawStep({
    hasPin: user.withdrawal_code_enabled,
    methods: methods.map(({ id, hasMethod }) => ({ id, isReady: hasMethod })),
    wanted: wantedMethod(useQueryText()),
  })
  const detour = !isClosed && step.kind === 'go' ? step.to : null
  useLayoutEffect(() => {
    // Replaces this screen, so that Back leads to where the user came from.
    if (detour !== null) go(detour, { replace: true })
  }, [detour, go])
  if (isClosed) return <Alert tone="danger">{withdraw_reason || t('withdraw.closed')}</Alert>
  if (step.kind === 'go') return null
  if (methods.length === 0) return <Empty title={t('common.no_data')}>{t('withdrawal_methods.none')}</Empty>
  return <WithdrawForm key={step.chosen} user={user} methods={methods} first={step.chosen} onSent={onSent} />
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton height={56} className="rounded-field!" />
      <Skeleton height={96} className="rounded-field!" />
      <Skeleton height={130} className="rounded-card!" />
      <Skeleton height={130} className="rounded-card!" />
    </div>
  )
}
