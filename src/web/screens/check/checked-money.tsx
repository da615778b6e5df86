import Download from 'lucide-react/icons/download'
import type { CheckedStep, MoneyFault, MoneyReceipts } from '#core/proof/check-money.ts'
import { checkSignature } from '#core/proof/check-signature.ts'
import { moneyFileText } from '#core/proof/money-file.ts'
import { money } from '#core/money/money.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { call } from '#web/api/call.ts'
import { plain } from '#web/gateways/gateway-terms.ts'
import { clockDateTime } from '#web/i18n/clock.ts'
import { type MessageKey, t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import type { CheckedReceipts } from '#web/receipts/check-money-receipts.ts'
import { RegisterCard, type ToFind } from '#web/screens/check/in-register.tsx'
import { KeyLine } from '#web/screens/check/key-line.tsx'
import { VerdictBox } from '#web/screens/check/verdict-box.tsx'

const FAULTS: Readonly<Record<MoneyFault, MessageKey>> = {
  form: 'check.fault_form',
  root: 'check.fault_root',
  owner: 'check.fault_money_owner',
  times: 'check.fault_times',
  terms: 'check.fault_money_terms',
  steps: 'check.fault_money_steps',
  signature_form: 'check.fault_signature',
  signature: 'check.fault_signature',
  key_unknown: 'check.fault_key_unknown',
  key_retired: 'check.fault_key_retired',
}
const STEPS = {
  asked: 'check.money_asked',
  approved: 'check.money_approved',
  paid: 'withdrawal_history.state_paid',
  failed: 'withdrawal_history.state_failed',
  returned: 'withdrawal_history.state_returned',
  credited: 'check.money_credited',
  rejected: 'withdrawal_history.rejected',
  cancelled: 'withdrawal_history.cancelled',
  announced: 'check.money_announced',
  posted: 'check.money_posted',
} as const

/** The findings about receipts of money: the verdict, each step with its time, and amount and address. */
export function CheckedMoney({ checked }: { checked: CheckedReceipts }) {
  const { content, check, areKeysOwn, isFromFile } = checked
  const { steps, faults, kids } = check
  const newest = steps.at(-1)
  const found = [...new Set(faults.map((fault) => t(FAULTS[fault])))]
  const lines =
    faults.length === 0 ? [t('check.money_fits'), t('check.money_fits_text')] : [...found, t('check.differs_text')]
  return (
    <>
      <VerdictBox isFaultless={faults.length === 0} lines={areKeysOwn ? [...lines, t('check.keys_own')] : lines} />
      {newest !== undefined && (
        <Card className="mt-3">
          <h3 className="flex flex-wrap justify-between gap-x-3 font-semibold">
            {t(`statement.kind_${newest.facts.of}`)}
            <span dir="ltr" className="mono font-normal break-all text-fg-2">
              {newest.facts.trx}
            </span>
          </h3>
          <ol className="mt-2 flex flex-col gap-1">
            {steps.map(({ facts }) => (
              <li key={`${facts.step} ${facts.at_ms}`} className="flex flex-wrap justify-between gap-x-3 text-small">
                <span>{t(STEPS[facts.step])}</span>
                <span className="num text-fg-2">{clockDateTime(facts.at_ms)}</span>
              </li>
            ))}
          </ol>
          <Private step={newest} />
          {kids.map((kid) => (
            <KeyLine key={kid} kid={kid} />
          ))}
        </Card>
      )}
      {!isFromFile && newest !== undefined && (
        <RegisterCard
          id={[newest.facts.trx, newest.facts.step]}
          find={(signal) => newestProof(newest.facts.trx, content, signal)}
        />
      )}
      <div className="h-4" />
      <PinnedAction>
        <Button
          variant="secondary"
          icon={<Download size={18} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => saveFile(`check-${newest?.facts.trx ?? 'receipt'}.json`, moneyFileText(content))}
        >
          {t('check.download')}
        </Button>
      </PinnedAction>
    </>
  )
}

async function newestProof(trx: string, { receipts, keys }: MoneyReceipts, signal: AbortSignal): Promise<ToFind> {
  const { data } = await call('GET /proof/money/:trx', { params: { trx }, signal })
  const signature = receipts.at(-1)?.signature ?? ''
  return {
    signed: checkSignature(BROWSER_TOOLS, signature, keys, 'money'),
    proof: data.proofs[receipts.length - 1] ?? null,
  }
}

/**
 * The amount, the charges, the address and the operator's reason. Only receipts that the user opens as their owner
 * contain them.
 */
function Private({ step: { owner } }: { step: CheckedStep }) {
  if (owner === null) return <p className="mt-3 text-small text-fg-2">{t('check.money_private')}</p>
  const { amount, currency, charges, to, reason } = owner
  const shown = (units: string) => `${plain(money(BigInt(units)))} ${currency}`
  return (
    <>
      <dl className="mt-3 flex flex-col gap-2 border-t border-line pt-3 text-small">
        <SumRow label={t('statement.amount')}>
          <span className="num">{shown(amount)}</span>
        </SumRow>
        <SumRow label={t('deposit.fee')}>
          <span className="num">{shown(charges)}</span>
        </SumRow>
        {to !== '' && (
          <div>
            <dt className="text-fg-2">{t('check.money_to')}</dt>
            <dd dir="auto" className="break-all whitespace-pre-line">
              {to}
            </dd>
          </div>
        )}
      </dl>
      {reason !== '' && (
        <p dir="auto" className="mt-2 text-small break-words whitespace-pre-line">
          {reason}
        </p>
      )}
    </>
  )
}
