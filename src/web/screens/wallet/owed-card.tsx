import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import Download from 'lucide-react/icons/download'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { owedIn, type OwnProof } from '#core/proof/own-proof.ts'
import { totalLiability } from '#core/proof/liability.ts'
import { money } from '#core/money/money.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card, SectionLabel } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { Link } from '#ui/link.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { checkProof, type ProofVerdict } from '#web/liabilities/check-proof.ts'
import { saveFile } from '#ui/save-file.ts'
import { useAmountsHidden } from '#web/shell/amounts-hidden.ts'
import type { User } from '#web/session/session.ts'

/**
 * The amount owed to the user in the newest published total, checked in this browser. A mismatch is shown as an alert.
 */
export function OwedCard({ user }: { user: User }) {
  const query = useQuery({ queryKey: ['owed'], queryFn: ({ signal }) => readOwed(signal) })
  const { proof, days, next_at: next } = query.data ?? {}
  const verdict = useMemo(() => (proof && days ? checkProof(proof, user.id, days) : null), [proof, days, user.id])
  const failed = query.isError && query.data === undefined
  const nextAt = next && dayAndTimeText(Date.parse(next))
  return (
    <section>
      <SectionLabel>{t('liabilities.own_title')}</SectionLabel>
      <Card padded={!failed}>
        {failed ? (
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : proof === null && nextAt !== undefined ? (
          <p className="text-small text-fg-2">
            {t('liabilities.own_empty', { time: nextAt })} <About />
          </p>
        ) : proof && verdict && nextAt !== undefined ? (
          <Checked user={user} proof={proof} verdict={verdict} nextAt={nextAt} />
        ) : (
          <div aria-busy="true">
            <span className="sr-only">{t('common.loading')}</span>
            <Skeleton height={236} className="w-full" />
          </div>
        )}
      </Card>
    </section>
  )
}

/**
 * Reads the proof, and after it the published list. A list that was read before the proof can lack the day of the
 * proof, which would look like a mismatch.
 */
async function readOwed(signal: AbortSignal) {
  const { data: own } = await call('GET /user/proof/liabilities', { signal })
  const { data: published } = await call('GET /proof/liabilities', { signal })
  return { ...own, days: published.days }
}

interface CheckedProps {
  user: User
  proof: OwnProof
  verdict: ProofVerdict
  nextAt: string
}

function Checked({ user, proof, verdict, nextAt }: CheckedProps) {
  const hidden = useAmountsHidden()
  const owed = owedIn(proof)
  const amount = (value: bigint) => <MoneyText amount={money(value)} symbol={user.currency_symbol} hidden={hidden} />
  return (
    <>
      {verdict.matches ? (
        <p className="flex items-center gap-2.5 font-semibold">
          <ShieldCheck size={20} strokeWidth={1.75} className="shrink-0 text-ok" aria-hidden="true" />
          {t('liabilities.matches')}
        </p>
      ) : (
        <Alert tone="danger" title={t('liabilities.differs')}>
          {t('liabilities.differs_text')}
        </Alert>
      )}
      <p className="mt-1 text-label text-fg-2">
        {t('liabilities.as_of', { time: dayAndTimeText(Date.parse(proof.record.taken_at)) })}
      </p>
      <dl className="mt-3 flex flex-col gap-1">
        <SumRow label={t('wallet.available')}>{amount(owed.cash)}</SumRow>
        <SumRow label={t('wallet.in_orders')}>{amount(owed.staked)}</SumRow>
        <SumRow label={t('wallet.withdrawing')}>{amount(owed.withdrawing)}</SumRow>
        <SumRow label={t('liabilities.owed_to_you')} strong divided>
          {amount(totalLiability(owed))}
        </SumRow>
      </dl>
      <ul className="mt-3 flex flex-col gap-1.5 text-label">
        <Step holds={verdict.amounts}>{t('liabilities.line_amounts')}</Step>
        <Step holds={verdict.tree}>{t('liabilities.line_tree')}</Step>
        <Step holds={verdict.published}>{t('liabilities.line_published')}</Step>
      </ul>
      <p className="mt-3 text-label text-fg-2">
        {t('liabilities.changed', { time: nextAt })} {t('liabilities.not')} <About />
      </p>
      <Button
        variant="secondary"
        size="s"
        className="mt-3"
        icon={<Download size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => saveFile(`liabilities-${proof.record.day}.json`, `${JSON.stringify(proof, null, 2)}\n`)}
      >
        {t('liabilities.download')}
      </Button>
    </>
  )
}

/**
 * One check that the browser made. The text states what should be true, and an icon shows whether the browser found it
 * true.
 */
function Step({ holds, children }: { holds: boolean; children: string }) {
  const Icon = holds ? CircleCheck : CircleX
  return (
    <li className={holds ? 'flex items-start gap-2 text-fg-2' : 'flex items-start gap-2 font-semibold text-danger'}>
      <Icon
        size={16}
        strokeWidth={1.75}
        className={holds ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0'}
        aria-hidden="true"
      />
      <span>
        <span className="sr-only">{t(holds ? 'liabilities.holds' : 'liabilities.fails')}: </span>
        {children}
      </span>
    </li>
  )
}

function About() {
  return (
    <Link href="/liabilities" className="text-brand underline underline-offset-4">
      {t('liabilities.proves_title')}
    </Link>
  )
}
