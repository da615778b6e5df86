import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { MAX_FILE_LINES, PAYMENT_FILE_STATES } from '#core/wallet/payment-file.ts'
import { WITHDRAWAL_STATES } from '#core/wallet/withdrawal-state.ts'

const Id = z.object({ id: z.uuid() })
const RequestId = z.string().min(1).max(64)

/** A file of payments for the portal of a bank. `sum` is in `currency`. */
const PaymentFileRow = z.object({
  id: z.string(),
  method: z.string(),
  currency: z.string(),
  count: z.number().int(),
  sum: MoneyOut,
  /**
   * `open` while at least one payment of the file is under way, `done` when all have ended, `void` when staff voided
   * the file.
   */
  state: z.enum(PAYMENT_FILE_STATES),
  made_by: z.string(),
  created_at: IsoTime,
  voided_at: IsoTime.nullable(),
  downloads: z.number().int(),
  /** SHA-256 of the bytes of the file. */
  sha256: z.string(),
})
export type PaymentFileRow = z.output<typeof PaymentFileRow>

export const staffPaymentFiles = defineStaffList({
  path: '/admin/payment-files',
  may: 'withdrawals.see',
  summary: 'Files of payments for the portal of a bank, newest first.',
  filters: { state: optionalFilter(z.enum(PAYMENT_FILE_STATES)) },
  row: PaymentFileRow,
})

export const staffPaymentFile = defineStaffCall({
  method: 'GET',
  path: '/admin/payment-files/:id',
  may: 'withdrawals.see',
  summary: 'A payment file with its lines, in the order of the file.',
  params: Id,
  reply: PaymentFileRow.extend({
    lines: z.array(
      z.object({
        line: z.number().int(),
        trx: z.string(),
        username: z.string(),
        paid_out: MoneyOut,
        state: z.enum(WITHDRAWAL_STATES),
        reference: z.string().nullable(),
      }),
    ),
  }),
  refusals: ['not_found'],
})

/** The approved withdrawals of one method that can be put into a payment file. */
const ReadyMethod = z.object({
  method_id: z.number().int(),
  method: z.string(),
  currency: z.string(),
  count: z.number().int(),
  sum: MoneyOut,
})
export type ReadyMethod = z.output<typeof ReadyMethod>

export const staffReadyPayments = defineStaffCall({
  method: 'GET',
  path: '/admin/payment-files/ready',
  may: 'withdrawals.see',
  summary: 'How many approved withdrawals each method has, and their sum.',
  reply: z.object({ methods: z.array(ReadyMethod) }),
  refusals: [],
})

export const staffReadyOfMethod = defineStaffCall({
  method: 'GET',
  path: '/admin/payment-files/ready/:method/:currency',
  may: 'withdrawals.see',
  summary: 'The approved withdrawals of a method, those that wait longest first: as many as a payment file can have.',
  params: z.object({ method: z.coerce.number().int().positive().max(2_147_483_647), currency: z.string().max(20) }),
  reply: z.object({
    withdrawals: z.array(
      z.object({
        trx: z.string(),
        username: z.string(),
        /** The user's payment details, abbreviated. */
        pay_to: z.string(),
        paid_out: MoneyOut,
        /** Whether the destination satisfies the rules of the method. */
        can_pay: z.boolean(),
      }),
    ),
  }),
  refusals: [],
})

export const staffMakePaymentFile = defineStaffCall({
  method: 'POST',
  path: '/admin/payment-files',
  may: 'withdrawals.pay',
  summary:
    'Makes a payment file of approved withdrawals of one method, and begins the payment of all of them. Repeating the call gives the same file.',
  body: z.object({ trxs: z.array(z.string().max(40)).min(1).max(MAX_FILE_LINES), request_id: RequestId }),
  reply: Id,
  refusals: ['request_conflict', 'not_approved', 'files_mixed', 'destination_invalid', 'ledger_unclean'],
})

export const staffDownloadPaymentFile = defineStaffCall({
  method: 'POST',
  path: '/admin/payment-files/:id/download',
  may: 'payments.export',
  summary: 'The bytes of a payment file that is not void, the same each time, as UTF-8 text.',
  params: Id,
  body: z.object({ reason: z.string().trim().max(300).default('') }),
  reply: z.object({ name: z.string(), content: z.string(), sha256: z.string() }),
  refusals: ['not_found', 'reason_needed', 'payment_file_over', 'payment_file_erased'],
})

const OWN = ['not_found', 'request_conflict', 'payment_file_over', 'not_yours'] as const

export const staffUnsendPaymentFile = defineStaffCall({
  method: 'POST',
  path: '/admin/payment-files/:id/void',
  may: 'withdrawals.pay',
  summary: 'Voids a payment file of which nothing was sent. All its withdrawals are approved as before.',
  params: Id,
  body: z.object({ words: z.string().trim().max(500).default(''), request_id: RequestId }),
  reply: Id,
  refusals: [...OWN, 'words_needed', 'payment_file_begun'],
})

export const staffPayPaymentFile = defineStaffCall({
  method: 'POST',
  path: '/admin/payment-files/:id/paid',
  may: 'withdrawals.pay',
  summary:
    'Records the payments of a file that are still under way as paid. Each gets the reference with the number of its line.',
  params: Id,
  body: z.object({
    reference: z.string().max(200).default(''),
    /** When the payment was sent. If the field is absent, the server uses the present time. */
    paid_at: IsoTime.optional(),
    request_id: RequestId,
  }),
  reply: Id,
  refusals: [...OWN, 'reference_needed', 'reference_form', 'reference_used', 'paid_at_invalid'],
})
