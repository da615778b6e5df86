import type { ColumnType, Generated } from 'kysely'
import type { Int8, Int8OrNull, Json, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/payments`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface PaymentsTables {
  gateway: GatewayTable
  gateway_past: {
    gateway_id: number
    version: number
    since_ms: Int8
    wallet_address: string
    rate_millionths: Int8
  }
  deposit: DepositTable
  arrival: ArrivalTable
  /** Written by triggers on deposits, withdrawals and adjustments, and on the receipts that are signed for them. */
  money_step: {
    user_id: string
    record_id: string
    step: string
    id: string
    of_kind: string
    trx: string
    at_ms: Int8
    /** Null while no receipt is signed. */
    batch_id: string | null
    /** The hash of the owner's part of the receipt. Null before the user's data is erased. */
    owner_sha256: ColumnType<string | null, never, never>
  }
  payment_event: PaymentEventTable
  payment_file: PaymentFileTable
  payment_file_line: { user_id: string; withdrawal_id: string; file_id: string; line: number }
  user_withdrawal_method: { user_id: string; gateway_id: number; details: Json; updated_ms: Int8 }
  withdrawal: WithdrawalTable
  user_leave: {
    user_id: string
    id: string
    asked_ms: Int8
    state: Generated<string>
    ended_ms: ColumnType<bigint | null, never, number>
    /** When a user whose leave was refused can ask again. */
    again_ms: ColumnType<bigint | null, never, number | null>
  }
  correction: {
    user_id: string
    id: string
    amount: Int8
    reason: string
    content_hash: string
    state: string
    asked_by: string
    asked_ms: Int8
    decided_by: string | null
    decided_ms: Int8OrNull
    words: Generated<string>
    kind: string
    /** The reference of the deposit or adjustment that a negative adjustment takes back. */
    link: string | null
    /** The reason that the user reads. */
    message: string
    trx: string
    /** When an announced adjustment is posted. */
    posts_ms: ColumnType<bigint | null, number | null | undefined, number | null>
    disputed_ms: ColumnType<bigint | null, number | null | undefined, number | null>
    posted_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  }
  first_check: { user_id: string; order_id: string; checked_ms: Int8 }
}

export interface GatewayTable {
  id: number
  kind: string
  name: string
  image: Generated<string>
  currency: string
  min_amount: Int8
  max_amount: Int8
  fixed_charge: Int8
  percent_charge_basis_points: number
  rate_millionths: Int8
  wallet_address: Generated<string>
  description: Generated<string>
  form: ColumnType<unknown, string | undefined, string>
  is_automatic: Generated<boolean>
  is_offered: Generated<boolean>
  sort: number
  version: Generated<number>
  /** How long the quote of a deposit holds. */
  quote_seconds: Generated<number>
}

export interface DepositTable {
  user_id: string
  id: string
  trx: string
  gateway_id: number
  status: number
  currency: string
  /** The wallet address that the user was shown for this deposit. */
  wallet_address: Generated<string>
  amount: Int8
  percent_charge: Int8
  fixed_charge: Int8
  total: Int8
  rate_millionths: Int8
  credited: Int8
  fields: ColumnType<unknown, string | undefined, string>
  files: ColumnType<unknown, string | undefined, string>
  client_request_id: string | null
  /** A hash of the whole request, to recognise a repeated request. */
  request_fingerprint: ColumnType<Uint8Array | null, Uint8Array | null | undefined, never>
  feedback: Generated<string>
  created_ms: Int8
  decided_ms: Int8OrNull
  /** One of `DEPOSIT_STATES`. The database derives it from the status when it is not given. */
  state: ColumnType<string, string | undefined, string>
  /** Until when the quoted rate holds. Null: without an end, as for deposits from before quotes ended. */
  quoted_until: OptionalInt8
  /** The percentage of the charge at the request. The database derives it from the charge when it is not given. */
  percent_basis_points: ColumnType<number, number | undefined, never>
  /** Whether the deposit was credited before arrivals were stored. */
  before_arrivals: ColumnType<boolean, boolean | undefined, never>
}

/** Money that arrived, as staff, a provider or the demo reported it. Amount, source and times never change. */
export interface ArrivalTable {
  id: string
  gateway_id: number
  currency: string
  /** In hundred-millionths of the currency. Both drivers return numeric values as text. */
  amount: ColumnType<string, string, never>
  /** In the smallest unit of a chain. */
  raw_amount: ColumnType<string | null, string | null | undefined, never>
  source: string
  /** Names the arrival within its source, so that no arrival is stored twice. */
  external_id: string
  reference: string
  seen_ms: Int8
  confirmed_ms: Int8OrNull
  created_ms: Int8
  state: string
  user_id: string | null
  deposit_id: string | null
  /** The rate that this arrival is credited at. */
  rate_millionths: ColumnType<bigint | null, bigint | null, bigint | null>
  /** Whether two people have to approve the credit, whatever its amount. */
  takes_two: Generated<boolean>
  /** In the base currency, as the charge. */
  credited: ColumnType<bigint | null, bigint | null | undefined, bigint>
  charge: ColumnType<bigint | null, bigint | null | undefined, bigint>
  credited_ms: ColumnType<bigint | null, number | null | undefined, number>
  sent_ms: ColumnType<bigint | null, undefined, number>
  sent_reference: ColumnType<string | null, undefined, string>
}

/**
 * The steps of withdrawals and deposits. The database adds the first step of a withdrawal with the request, and refuses
 * steps in a wrong order.
 */
interface PaymentEventTable {
  user_id: string
  subject: string
  seq: number
  subject_kind: Generated<string>
  step: string
  /** The state after the step. */
  state: string
  staff_id: string | null
  /** The name of the staff member, or of the operator at the command line. Empty for the user. */
  who: Generated<string>
  at_ms: Int8
  /** The text about this step that the user reads. */
  words: Generated<string>
  data: ColumnType<unknown, string | undefined, never>
}

/** Files of payments for the portal of a bank. */
interface PaymentFileTable {
  id: string
  gateway_id: number
  currency: string
  count: number
  /** The sum of the file, in the currency of the method. */
  sum: Int8
  /** The hash of the bytes of the file. */
  sha256: string
  /** The bytes, encrypted. Empty when they were erased with the account of a user. */
  sealed: string
  staff_id: string
  who: string
  created_ms: Int8
  voided_ms: ColumnType<bigint | null, never, number>
  downloads: Generated<number>
}

export interface WithdrawalTable {
  user_id: string
  id: string
  trx: string
  client_request_id: string | null
  /** A hash of the whole request, to recognise a repeated request. */
  request_fingerprint: ColumnType<Uint8Array | null, Uint8Array | null | undefined, never>
  gateway_id: number
  status: number
  /** One of `WITHDRAWAL_STATES`. It determines `status`, which the database checks. */
  state: string
  /** Who is paying the withdrawal: a staff id, or the name of the operator at the command line. */
  paying_by: Generated<string | null>
  paying_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  reference: Generated<string | null>
  /** When the payment was sent, as staff read it at the bank or network. */
  sent_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  /** The amount that was sent, in the method's currency. */
  sent_amount: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  network_fee: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  returned_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  currency: string
  amount: Int8
  percent_charge: Int8
  fixed_charge: Int8
  rate_millionths: Int8
  paid_out: Int8
  details: Json
  /** A hash of the payment details, to recognise equal details. */
  destination: ColumnType<Uint8Array | null, Uint8Array | undefined, Uint8Array>
  review_version: Generated<number>
  feedback: Generated<string>
  is_cancelled: Generated<boolean>
  /** Why staff rejected the request. Null without a rejection, and for rejections from before there were codes. */
  reason_code: Generated<string | null>
  created_ms: Int8
  /** When the deadline starts to run. The database sets it to an earlier time than `created_ms` after a rejection. */
  clock_ms: ColumnType<bigint, number | bigint | undefined, never>
  decided_ms: Int8OrNull
  /** The id of the user's request to leave the site, if the withdrawal belongs to one. */
  leave_id: ColumnType<string | null, string | undefined, never>
  /** Whether no part of the withdrawal is principal. Always false outside a leave. */
  above_principal: ColumnType<boolean, boolean | undefined, never>
  confirmed_by: string | null
}
