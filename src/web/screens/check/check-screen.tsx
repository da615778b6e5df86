import { isResult } from '#core/proof/receipt-facts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StatementFile } from '#core/statement/statement-file.ts'
import { Card } from '#ui/card.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { CallFailure, failureText } from '#web/api/call-failure.ts'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { type CheckedReceipts, checkMoneyFile, checkMoneyOf } from '#web/receipts/check-money-receipts.ts'
import { checkFile, checkOrder, type OrderCheck } from '#web/receipts/check-order.ts'
import { nextTick } from '#web/receipts/next-tick.ts'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { type CheckedFile, CheckForm } from '#web/screens/check/check-form.tsx'
import { CheckedMoney } from '#web/screens/check/checked-money.tsx'
import { CheckedOrder } from '#web/screens/check/checked-order.tsx'
import { CheckedStatement } from '#web/screens/check/checked-statement.tsx'
import { ShareButton } from '#web/screens/check/share-button.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'
import { useAddress } from '#web/session/location.ts'
import { useSession } from '#web/session/session.ts'
import { checkStatementFile } from '#web/statements/check-statement-file.ts'
import { useTellChecked } from '#web/tasks/use-tell-checked.ts'

export const CheckScreen = withData(Check)

const ASK_AGAIN_MS = 5_000
/**
 * 12 requests take one minute. Then the requests stop, because a market that has closed has no tick after the expiry.
 */
const MAX_ASKS_FOR_NEXT = 12

/** Recalculates the result of any order in the browser. Open to everyone. */
function Check({ params }: ScreenProps) {
  const trx = params['trx']?.toUpperCase()
  const isMoney = useAddress().endsWith('?of=money')
  const [file, setFile] = useState<CheckedFile | null>(null)
  const isSignedIn = useSession() !== null
  return (
    <Page
      title={t('screen.check')}
      header={
        <DeepHeader
          title={t('screen.check')}
          crumb={trx}
          parent={isSignedIn ? '/history/transaction' : '/'}
          end={trx !== undefined && <ShareButton />}
        />
      }
      className="pt-1"
    >
      {trx !== undefined && isMoney ? (
        <CheckingMoney key={trx} id={trx} run={async (signal) => await checkMoneyOf(trx, signal)} />
      ) : trx !== undefined ? (
        <Checking key={trx} id={trx} run={async (signal) => await checkOrder(trx, signal)} isReference />
      ) : (
        <>
          <CheckForm onFile={setFile} />
          {file?.kind === 'statement' && <CheckingStatement file={file.content} />}
          {file?.kind === 'money' && (
            <CheckingMoney
              key={JSON.stringify(file.content)}
              id="file"
              run={async () => await checkMoneyFile(file.content)}
            />
          )}
          {file?.kind === 'receipt' && (
            <Checking key={JSON.stringify(file.content)} id="file" run={async () => await checkFile(file.content)} />
          )}
          <ProofLinks from="check" />
        </>
      )}
    </Page>
  )
}

interface CheckingProps<Found> {
  id: string
  run: (signal: AbortSignal) => Promise<Found>
}

function Checking({ id, run, isReference = false }: CheckingProps<OrderCheck> & { isReference?: boolean }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['check', id],
    queryFn: ({ signal }) => run(signal),
    staleTime: 0,
    gcTime: 0,
    // Refetches until the order has ended and the tick after its expiry has arrived.
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data === undefined || data.isFromFile || data.check.facts === null) return false
      const { facts } = data.check
      const isAwaited = isResult(facts) && nextTick(facts, data.next) === null
      return !isResult(facts) || (isAwaited && dataUpdateCount < MAX_ASKS_FOR_NEXT) ? ASK_AGAIN_MS : false
    },
  })
  useTellChecked(data)
  const again = () => void refetch()
  // The reference may belong to a deposit, a withdrawal or an adjustment.
  if (isReference && error instanceof CallFailure && error.code === 'receipt_unknown') {
    return <CheckingMoney id={id} run={async (signal) => await checkMoneyOf(id, signal)} />
  }
  if (error !== null) return <CheckFailure error={error} onRetry={again} isRetrying={isFetching} />
  if (data !== undefined) return <CheckedOrder order={data} isRunning={isFetching} onAgain={again} />
  return <CheckSkeleton />
}

function CheckingMoney({ id, run }: CheckingProps<CheckedReceipts>) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['check-money', id],
    queryFn: ({ signal }) => run(signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (error !== null) return <CheckFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  return data === undefined ? <CheckSkeleton /> : <CheckedMoney checked={data} />
}

function CheckFailure({ error, onRetry, isRetrying }: { error: Error; onRetry: () => void; isRetrying: boolean }) {
  return (
    <Card padded={false} className="mt-3">
      <LoadError
        reason={failureText(error)}
        retryLabel={t('common.try_again')}
        onRetry={onRetry}
        retrying={isRetrying}
      />
    </Card>
  )
}

function CheckingStatement({ file }: { file: StatementFile }) {
  const { data } = useQuery({
    queryKey: ['check-statement', file.signature, file.facts, file.rows],
    queryFn: () => checkStatementFile(file),
    staleTime: Infinity,
    gcTime: 0,
  })
  return data === undefined ? <CheckSkeleton /> : <CheckedStatement checked={data} />
}

function CheckSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton height={96} className="w-full" />
      <Skeleton height={380} className="w-full" />
      <Skeleton height={180} className="w-full" />
    </div>
  )
}
