import type { FormField } from '#contract/deposits.ts'
import type { WithdrawalOut, WithdrawMethodOut } from '#contract/withdrawals.ts'
import { moneyNumber, percentNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { isComplete, type MethodDetails } from '#core/wallet/method-details.ts'
import { dueAt } from '#core/wallet/withdrawal-deadline.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { descriptionHtml } from '#server/platform/html/markup-to-html.ts'
import { isUnpaid, userStep } from '#core/wallet/withdrawal-state.ts'
import { listWithdrawalEvents, type WithdrawalEvent } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Gateway } from '#server/payments/gateways/list-gateways.ts'
import { PENDING, type Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Converts a withdrawal method to its reply, with the payment details that the user saved for it. */
export function toMethodReply(method: Gateway, details: MethodDetails | null): WithdrawMethodOut {
  return {
    id: method.id,
    version: method.version,
    name: method.name,
    image: method.image,
    single_currency: {
      currency: method.currency,
      min_amount: moneyNumber(method.minimum),
      max_amount: moneyNumber(method.maximum),
      fixed_charge: moneyNumber(method.fixedCharge),
      percent_charge: percentNumber(method.percentCharge),
      rate: rateNumber(method.rate),
      wallet_address: '',
    },
    form: { form_data: informationOf(method, details ?? {}) },
    description: descriptionHtml(method.description),
    hasMethod: isComplete(method.form, details),
    user_withdrawal_details:
      details === null ? null : { withdrawal_information: JSON.stringify(informationOf(method, details)) },
  }
}

/** Returns the method's form with its values filled in. */
export function informationOf({ form }: Gateway, details: MethodDetails): (FormField & { value: string })[] {
  return form.map((field) => ({ ...field, value: details[field.label] ?? '' }))
}

/** Converts withdrawals to their replies, with their histories. */
export async function loadReplies(
  db: Db,
  withdrawals: readonly Withdrawal[],
  language: Language,
  isLocked: boolean,
): Promise<WithdrawalOut[]> {
  const events = await listWithdrawalEvents(db, withdrawals)
  return withdrawals.map((one) => toReply(one, { language, isLocked, events: events.get(one.id) ?? [] }))
}

/**
 * Converts a withdrawal that was just requested. It reads nothing from the database: if a read failed, the user would
 * get an error although the money is held.
 */
export function newReply(withdrawal: Withdrawal, language: Language, isLocked: boolean): WithdrawalOut {
  const requested = { step: 'requested', at: withdrawal.createdAt, who: '', words: '', reason: '' } as const
  return toReply(withdrawal, { language, isLocked, events: [requested] })
}

interface ReplyFacts {
  readonly language: Language
  /** Whether the site or the user locked cancelling. */
  readonly isLocked: boolean
  readonly events: readonly WithdrawalEvent[]
}

function toReply(withdrawal: Withdrawal, { language, isLocked, events }: ReplyFacts): WithdrawalOut {
  const words = events.findLast((event) => event.words !== '')?.words ?? withdrawal.feedback
  const steps = events.flatMap(({ step, at }) => {
    const shown = userStep(step)
    return shown === null ? [] : [{ step: shown, at: toIso(at) }]
  })
  return {
    trx: withdrawal.trx,
    status: withdrawal.status,
    state: withdrawal.state,
    steps,
    reference: withdrawal.reference,
    can_cancel: !isLocked && isUnpaid(withdrawal.state),
    created_at: toIso(withdrawal.createdAt),
    method: withdrawal.method,
    method_image: withdrawal.methodImage,
    currency: withdrawal.currency,
    amount: moneyNumber(withdrawal.amount),
    percent_charge: moneyNumber(withdrawal.percentCharge),
    fixed_charge: moneyNumber(withdrawal.fixedCharge),
    charge: moneyNumber(withdrawal.charge),
    rate: rateNumber(withdrawal.rate),
    paid_out: moneyNumber(withdrawal.paidOut),
    admin_feedback: withdrawal.isCancelled ? message('message.cancelled_by_user', language) : words,
    is_cancelled: withdrawal.isCancelled,
    reason_code: withdrawal.reasonCode,
    due_at: withdrawal.status === PENDING ? toIso(dueAt(withdrawal.clockAt)) : null,
  }
}
