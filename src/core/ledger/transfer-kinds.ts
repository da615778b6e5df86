import type { Account } from '#core/ledger/account.ts'
import type { OrderResult } from '#core/orders/order.ts'

interface Movement {
  /** The step of the transfer within its order, deposit or other record. Each step of a record is posted once. */
  readonly step: string
  readonly from: Account
  readonly to: Account
}

/** Every kind of transfer that the ledger has, with its step and its accounts. */
export const TRANSFER_KINDS = {
  order_stake: { step: 'stake', from: 'cash', to: 'staked' },
  // An order closes in one of five ways. All five have the same step, so that only one of these transfers can be
  // posted.
  order_win: { step: 'close', from: 'staked', to: 'cash' },
  order_draw: { step: 'close', from: 'staked', to: 'cash' },
  order_void: { step: 'close', from: 'staked', to: 'cash' },
  order_lose: { step: 'close', from: 'staked', to: 'house:trading' },
  // A sale moves the stake to the house. Two more transfers pay the price of the sale and charge the fee.
  order_sold: { step: 'close', from: 'staked', to: 'house:trading' },
  order_sale: { step: 'sale', from: 'house:trading', to: 'cash' },
  order_sale_fee: { step: 'sale_fee', from: 'cash', to: 'house:fees' },
  order_profit: { step: 'profit', from: 'house:trading', to: 'cash' },
  // Pays, after the order closed, the amount that the user should have received in addition according to the source's
  // history.
  make_good: { step: 'made_good', from: 'house:trading', to: 'cash' },
  deposit: { step: 'deposit', from: 'house:deposits', to: 'cash' },
  // The part of an arrival that the charges of the gateway take.
  deposit_fee: { step: 'deposit_fee', from: 'house:deposits', to: 'house:fees' },
  demo_funds: { step: 'funds', from: 'house:deposits', to: 'cash' },
  withdrawal_request: { step: 'hold', from: 'cash', to: 'withdrawing' },
  // All outcomes of a withdrawal have the same step too, so that only one can be posted.
  withdrawal_paid: { step: 'close', from: 'withdrawing', to: 'house:withdrawals' },
  withdrawal_rejected: { step: 'close', from: 'withdrawing', to: 'cash' },
  withdrawal_cancelled: { step: 'close', from: 'withdrawing', to: 'cash' },
  withdrawal_failed: { step: 'close', from: 'withdrawing', to: 'cash' },
  withdrawal_fee: { step: 'fee', from: 'withdrawing', to: 'house:fees' },
  // For a payment that the bank or network returned. The user gets back the whole amount, including the fee.
  withdrawal_returned: { step: 'return', from: 'house:withdrawals', to: 'cash' },
  withdrawal_fee_returned: { step: 'return_fee', from: 'house:fees', to: 'cash' },
  correction_in: { step: 'correction', from: 'house:corrections', to: 'cash' },
  correction_out: { step: 'correction', from: 'cash', to: 'house:corrections' },
  // The reference is the user's id. Each task has a separate step, so that each task is credited once.
  beginner_task: { step: 'task', from: 'house:bonus', to: 'credits' },
  // Takes back the credits of a user who left the site.
  credits_lapsed: { step: 'lapse', from: 'credits', to: 'house:bonus' },
  // Bring the balance of a practice account to its start. Only practice accounts have them.
  practice_grant: { step: 'grant', from: 'house:practice', to: 'cash' },
  practice_return: { step: 'grant', from: 'cash', to: 'house:practice' },
} as const satisfies Record<string, Movement>

export type TransferKind = keyof typeof TRANSFER_KINDS

/** The kind of the transfer that closes an order, by its result. */
export const CLOSE_KINDS = {
  1: 'order_win',
  2: 'order_lose',
  3: 'order_draw',
  4: 'order_void',
  5: 'order_sold',
} as const satisfies Record<OrderResult, TransferKind>
