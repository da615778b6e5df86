import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { Empty, LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { useOwnBreak } from '#web/limits/own-break.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { DepositList } from '#web/screens/deposit-history/deposit-list.tsx'
import { LimitPrompt } from '#web/screens/deposit/limit-prompt.tsx'
import { DepositForm } from '#web/screens/deposit/deposit-form.tsx'
import { useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useIsDesktop } from '#web/shell/use-is-desktop.ts'

/** 10 s between refreshes of a live rate. The rate at submission counts. */
const RATES_EVERY_MS = 10_000

export const DepositScreen = withData(Deposit)

function Deposit() {
  const isDesktop = useIsDesktop()
  return (
    <Page
      title={t('deposit.title')}
      header={isDesktop ? undefined : <DeepHeader title={t('deposit.title')} parent="/wallet" />}
      width={isDesktop ? 'wide' : 'form'}
      className="pt-1 lg:pt-8"
    >
      {isDesktop ? (
        <div className="grid grid-cols-[480px_minmax(0,1fr)] items-start gap-8">
          <section>
            <h1 className="mb-4 text-title">{t('deposit.title')}</h1>
            <Form />
          </section>
          <section>
            <h2 className="mb-4 text-title">{t('deposit_history.list')}</h2>
            <DepositList />
          </section>
        </div>
      ) : (
        <Form />
      )}
    </Page>
  )
}

function Form() {
  const query = useCallQuery(
    'GET /user/payment-gateways/deposit',
    {},
    { everyMs: RATES_EVERY_MS, until: ({ gateways }) => !gateways.some((gateway) => gateway.is_live_rate) },
  )
  const limits = useOwnLimits()
  // The frame of the page shows when the break ends, with links to withdrawals and limits.
  const isOnBreak = useOwnBreak() !== null
  const isClosing = (useSession()?.user.closing ?? null) !== null
  if (query.isPending) return <Loading />
  const found = query.data?.data
  if (found === undefined) {
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
  const { gateways, closed_reason: closedReason } = found
  if (isClosing) return <Empty title={t('shell.closing')} />
  if (isOnBreak) return <Empty title={t('deposit.on_break')} />
  if (closedReason !== '') return <Alert tone="danger">{closedReason}</Alert>
  const [first] = gateways
  if (first === undefined) return <Empty title={t('common.no_data')}>{t('deposit.no_gateways')}</Empty>
  if (limits.data?.data.prompt === true) return <LimitPrompt onDone={() => void limits.refetch()} />
  return <DepositForm gateways={gateways} first={first} />
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton height={56} className="rounded-field!" />
      <Skeleton height={76} className="rounded-field!" />
      <Skeleton height={40} className="rounded-field!" />
      <Skeleton height={190} className="rounded-card!" />
    </div>
  )
}
