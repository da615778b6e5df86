import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { money } from '#back-office/i18n/format.ts'
import type { CorrectionData } from '#back-office/pages/corrections/correction-data.ts'
import { useMay, useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/**
 * Returns the calls that decide an adjustment. Their state lasts as long as the detail pane, so that a refusal stays
 * readable after the decision.
 */
export function useCorrectionDecision() {
  const toast = useToast()
  const onDone = ({ outcome }: { outcome: CorrectionData['state'] }) => {
    if (outcome !== 'waiting') toast({ tone: 'success', text: t(`corrections.done_${outcome}`) })
  }
  const alsoAreas = ['counts', 'users', 'ledger']
  const approve = useStaffChange(staffCalls.staffApproveCorrection, { onDone, alsoAreas })
  const reject = useStaffChange(staffCalls.staffRejectCorrection, { onDone, alsoAreas })
  const withdraw = useStaffChange(staffCalls.staffWithdrawCorrection, { onDone, alsoAreas })
  return { approve, reject, withdraw, failure: approve.error ?? reject.error ?? withdraw.error }
}

/** An announced adjustment can still be rejected, and a disputed one is decided again. */
const OPEN_STATES: ReadonlySet<CorrectionData['state']> = new Set(['waiting', 'announced', 'disputed'])

interface DecideCorrectionProps {
  correction: CorrectionData
  decision: ReturnType<typeof useCorrectionDecision>
}

/** Returns the footer of an adjustment's detail: the actions of this staff member, and why a decision failed. */
export function useCorrectionFooter({
  correction,
  decision,
}: Omit<DecideCorrectionProps, 'correction'> & { correction: CorrectionData | undefined }) {
  const mayDecide = useMay('corrections.decide')
  const { name, is_single_operator: isSingle } = useStaff()
  const { failure } = decision
  const isOpen = mayDecide && correction !== undefined && OPEN_STATES.has(correction.state)
  if (correction === undefined || (!isOpen && failure === null)) return undefined
  const isOwn = correction.asked_by === name
  const canDecide = !isOwn || isSingle || correction.state !== 'waiting'
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {isOpen && isOwn && correction.state === 'waiting' && (
        <WithdrawCorrection correction={correction} decision={decision} />
      )}
      {isOpen && canDecide && <DecideCorrection correction={correction} decision={decision} />}
    </div>
  )
}

/** Withdraws the staff member's own request. */
function WithdrawCorrection({ correction: { id }, decision: { withdraw } }: DecideCorrectionProps) {
  const { is_single_operator: isSingle } = useStaff()
  return (
    <>
      <p className="text-fg-2">{t(isSingle ? 'corrections.yours_alone' : 'corrections.yours')}</p>
      <Button
        variant="danger"
        size="m"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate({ params: { id } })}
      >
        {t('corrections.withdraw')}
      </Button>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </>
  )
}

/**
 * Buttons to approve or reject an adjustment. The staff member who requested it can only reject it, once it is
 * announced or disputed.
 */
function DecideCorrection({ correction, decision: { approve, reject, failure } }: DecideCorrectionProps) {
  const [words, setWords] = useState('')
  const [wordsNeeded, setWordsNeeded] = useState(false)
  const { id, content_hash: hash, amount, cash } = correction
  const isTooMuch = cash + amount < 0
  const isBusy = approve.isPending || reject.isPending
  return (
    <>
      {isTooMuch && failure === null && <Alert tone="warn">{t('corrections.too_much')}</Alert>}
      <TextArea
        label={t('corrections.words')}
        placeholder={t('corrections.words_hint')}
        value={words}
        maxLength={500}
        rows={2}
        error={wordsNeeded && words.trim() === '' ? t('refusal.reason_needed') : undefined}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="flex gap-2">
        <Button
          variant="danger"
          size="m"
          loading={reject.isPending}
          disabled={approve.isPending}
          onClick={() => {
            if (words.trim() === '') setWordsNeeded(true)
            else if (!isBusy) {
              approve.reset()
              reject.mutate({ params: { id }, body: { content_hash: hash, words } })
            }
          }}
        >
          {t('common.reject')}
        </Button>
        <Button
          size="m"
          className="flex-1"
          loading={approve.isPending}
          disabled={reject.isPending || correction.state === 'announced'}
          onClick={() => {
            if (isBusy) return
            reject.reset()
            approve.mutate({ params: { id }, body: { content_hash: hash } })
          }}
        >
          {t('corrections.approve', { amount: money(Math.abs(amount)) })}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </>
  )
}
