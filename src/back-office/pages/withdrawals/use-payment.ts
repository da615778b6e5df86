import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { t } from '#back-office/i18n/t.ts'

type Body = { content_hash: string; request_id: string }

/**
 * Returns a function that builds the request body of a step: the hash of the displayed content, and a request id. The
 * id stays the same while the same step is sent again.
 */
export function useStepBody(): <T extends object>(seen: { content_hash: string }, content: T) => Body & T {
  const requestId = useRequestId()
  return ({ content_hash: hash }, content) => ({
    content_hash: hash,
    request_id: requestId([hash, content]),
    ...content,
  })
}

/** Returns the options that all steps share: the message after a step, and the other lists that the step changes. */
export function useStepOptions() {
  const toast = useToast()
  return {
    onDone: ({ outcome }: { outcome: WithdrawalDetailData['steps'][number]['step'] }) => {
      // Users take these steps themselves, so staff see no message.
      if (outcome === 'requested' || outcome === 'cancelled' || outcome === 'details_changed') return
      toast({ tone: 'success', text: t(`withdrawals.done_${outcome}`) })
    },
    alsoAreas: ['counts', 'users', 'ledger'],
  }
}

/** Returns the steps of a payment, and the texts that staff type for these steps. */
export function usePayment() {
  const options = useStepOptions()
  const bodyOf = useStepBody()
  const [reference, setReference] = useState('')
  const [words, setWords] = useState('')
  const [hasChecked, setHasChecked] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const start = useStaffChange(staffCalls.staffStartPaying, options)
  const paid = useStaffChange(staffCalls.staffMarkPaid, options)
  const unsent = useStaffChange(staffCalls.staffMarkUnsent, options)
  const failed = useStaffChange(staffCalls.staffMarkFailed, options)
  const returned = useStaffChange(staffCalls.staffReturnWithdrawal, options)
  const takeOver = useStaffChange(staffCalls.staffTakeOverWithdrawal, options)
  const all = [start, paid, unsent, failed, returned, takeOver]

  /** Clears the outcome of the last press. Returns false, and clears nothing, while a step is pending. */
  function begin(): boolean {
    if (all.some(({ isPending }) => isPending)) return false
    for (const call of all) call.reset()
    setNote(null)
    return true
  }

  return {
    reference,
    setReference,
    words,
    setWords,
    hasChecked,
    setHasChecked,
    note,
    failure: all.find(({ error }) => error !== null)?.error ?? null,
    isBusy: all.some(({ isPending }) => isPending),
    start: (one: WithdrawalDetailData) => {
      if (begin()) start.mutate({ params: { trx: one.trx }, body: bodyOf(one, {}) })
    },
    markPaid: (one: WithdrawalDetailData) => {
      if (begin()) paid.mutate({ params: { trx: one.trx }, body: bodyOf(one, { reference }) })
    },
    markUnsent: (one: WithdrawalDetailData) => {
      if (begin()) unsent.mutate({ params: { trx: one.trx }, body: bodyOf(one, { words }) })
    },
    markFailed: (one: WithdrawalDetailData) => {
      if (!begin()) return
      if (hasChecked) failed.mutate({ params: { trx: one.trx }, body: bodyOf(one, { words }) })
      else setNote(t('withdrawals.check_needed'))
    },
    markReturned: (one: WithdrawalDetailData) => {
      if (begin()) returned.mutate({ params: { trx: one.trx }, body: bodyOf(one, { words, reference }) })
    },
    takeOver: (one: WithdrawalDetailData) => {
      if (begin()) takeOver.mutate({ params: { trx: one.trx }, body: bodyOf(one, { reason: words }) })
    },
  }
}
export type PaymentUnderWay = ReturnType<typeof usePayment>
