import type { Tables } from '#server/platform/database/tables.ts'

export type Row = Readonly<Record<string, unknown>>
export type TableName = keyof Tables

/** The part of a table's schema that the memory store needs: it decides which writes are valid. */
export interface TableSpec {
  readonly key: readonly string[]
  /** Unique keys of the table, without the primary key. */
  readonly unique?: readonly (readonly string[])[]
  /** Columns that always contain a bigint. */
  readonly int8?: readonly string[]
  /** Columns that are written as JSON text and read parsed. */
  readonly json?: readonly string[]
  readonly defaults?: Row
  /** Columns that the database computes from the others of a row. */
  readonly generated?: (row: Row) => Row
  readonly check?: (row: Row) => boolean
  /**
   * Constraints that a planted bug removes: keys (0 is the primary one) that are not enforced, and locks without
   * effect.
   */
  readonly notEnforced?: readonly number[]
  readonly isLockless?: boolean
  /** Replaces a row that is inserted, for a planted bug; null inserts nothing. */
  readonly onInsert?: (row: Row) => Row | null
}

const ORDER_INT8 = [
  'stake',
  'entry_seq',
  'entry_price',
  'entry_time_ms',
  'opened_ms',
  'expires_ms',
  'head_seq',
  'received_ms',
  'terms_n',
]
const ACCOUNTS = ['cash', 'staked', 'withdrawing', 'credits']

/** The tables that the simulation uses. */
export const SPECS: Readonly<Partial<Record<TableName, TableSpec>>> = {
  app_user: {
    key: ['id'],
    int8: ['created_ms', 'pin_changed_ms', 'security_changed_ms', 'max_stake', 'max_open_stake'],
    defaults: {
      verified: false,
      trade_allowed: true,
      trade_reason: '',
      withdrawals_allowed: true,
      withdrawals_reason: '',
      max_stake: null,
      max_stake_reason: '',
      max_open_stake: null,
      max_open_stake_reason: '',
      version: 1,
    },
  },
  balance: {
    key: ['user_id', 'currency'],
    int8: [...ACCOUNTS, 'results', 'net_total', 'stake_total'],
    defaults: { open_orders: 0, results: 0n, net_total: 0n, stake_total: 0n },
    check: (row) => ACCOUNTS.every((account) => !(Number(row[account]) < 0)) && !(Number(row['open_orders']) < 0),
  },
  // No user of the simulation sets a limit.
  self_limit: { key: ['user_id', 'key'], int8: ['amount', 'since_ms'] },
  transfer: {
    key: ['user_id', 'ref', 'step'],
    int8: ['amount', 'created_ms'],
    check: (row) => Number(row['amount']) > 0 && row['from_account'] !== row['to_account'],
  },
  open_order: { key: ['user_id', 'id'], unique: [['user_id', 'client_order_id']], int8: ORDER_INT8 },
  order_history: {
    key: ['user_id', 'id'],
    unique: [['user_id', 'client_order_id']],
    int8: [
      ...ORDER_INT8,
      'result_amount',
      'balance_after',
      'exit_seq',
      'exit_price',
      'exit_time_ms',
      'settled_ms',
      'result_number',
    ],
  },
  settlement_price: {
    key: ['symbol_id', 'expires_ms'],
    int8: [
      'expires_ms',
      'exit_seq',
      'exit_price',
      'exit_time_ms',
      'next_seq',
      'next_price',
      'next_time_ms',
      'watermark_ms',
      'decided_ms',
      'head_seq',
    ],
  },
  decided_price: {
    key: ['symbol_id', 'expires_ms', 'source', 'max_tick_age_ms', 'rule', 'evidence'],
    int8: [
      'expires_ms',
      'exit_seq',
      'exit_price',
      'exit_time_ms',
      'exit_ref',
      'next_seq',
      'next_price',
      'next_time_ms',
      'next_ref',
      'since_seq',
      'watermark_ms',
      'decided_ms',
      'head_seq',
    ],
  },
  history_question: {
    key: ['symbol_id', 'source', 'expires_ms'],
    int8: [
      'expires_ms',
      'first_requested_ms',
      'last_requested_ms',
      'differs_since_ms',
      'newest_ref',
      'covered_until_ms',
    ],
  },
  result_seen: { key: ['user_id'], int8: ['until_number'] },
  tick_batch: {
    key: ['first_seq'],
    unique: [['previous_hash']],
    int8: ['first_seq', 'last_seq', 'first_time_ms', 'last_time_ms', 'written_ms'],
    defaults: { form: 2, is_late: false },
    generated: ({ payload }) => ({ is_late: String(payload).startsWith('2 late ') }),
  },
  tick_pack: { key: ['first_seq'] },
  candle: {
    key: ['symbol_id', 'interval', 'open_ms'],
    int8: ['open_ms', 'open', 'high', 'low', 'close', 'volume'],
  },
  price_gap: { key: ['symbol_id', 'from_ms'], int8: ['from_ms', 'to_ms', 'noticed_ms'] },
  tick_hole: { key: ['symbol_id', 'from_ms', 'to_ms'], int8: ['from_ms', 'to_ms'] },
  provider_candle: {
    key: ['symbol_id', 'interval', 'open_ms'],
    int8: ['open_ms', 'open', 'high', 'low', 'close', 'volume', 'fetched_ms'],
  },
  provider_history: { key: ['symbol_id', 'interval', 'from_ms'], int8: ['from_ms', 'to_ms'] },
  provider_start: { key: ['symbol_id'], int8: ['first_ms', 'asked_ms'] },
  gateway: {
    key: ['id'],
    int8: ['min_amount', 'max_amount', 'fixed_charge', 'rate_millionths'],
    json: ['form'],
    defaults: {
      image: '',
      wallet_address: '',
      description: '',
      form: [],
      is_automatic: false,
      is_offered: true,
      quote_seconds: 86_400,
    },
  },
  deposit: {
    key: ['user_id', 'id'],
    unique: [['user_id', 'client_request_id'], ['trx']],
    int8: [
      'amount',
      'percent_charge',
      'fixed_charge',
      'total',
      'rate_millionths',
      'credited',
      'created_ms',
      'decided_ms',
      'quoted_until',
    ],
    json: ['fields', 'files'],
    defaults: { feedback: '', before_arrivals: false, quoted_until: null },
  },
  arrival: {
    key: ['id'],
    unique: [['source', 'external_id']],
    int8: ['seen_ms', 'confirmed_ms', 'created_ms', 'rate_millionths', 'credited', 'charge', 'credited_ms', 'sent_ms'],
    defaults: { raw_amount: null, takes_two: false, sent_ms: null, sent_reference: null },
  },
  withdrawal: {
    key: ['user_id', 'id'],
    unique: [['user_id', 'client_request_id']],
    int8: [
      'amount',
      'percent_charge',
      'fixed_charge',
      'rate_millionths',
      'paid_out',
      'created_ms',
      'clock_ms',
      'decided_ms',
      'paying_ms',
      'sent_ms',
      'sent_amount',
      'network_fee',
      'returned_ms',
    ],
    json: ['details'],
    defaults: {
      feedback: '',
      reason_code: null,
      is_cancelled: false,
      review_version: 1,
      leave_id: null,
      above_principal: false,
      paying_by: null,
      paying_ms: null,
      reference: null,
      sent_ms: null,
      sent_amount: null,
      network_fee: null,
      returned_ms: null,
    },
  },
  payment_event: {
    key: ['user_id', 'subject', 'seq'],
    int8: ['at_ms'],
    json: ['data'],
    defaults: { subject_kind: 'withdrawal', who: '', words: '', data: {} },
  },
  user_withdrawal_method: { key: ['user_id', 'gateway_id'], int8: ['updated_ms'], json: ['details'] },
  staff: {
    key: ['id'],
    int8: ['totp_last_step', 'created_ms', 'approver_ms'],
    defaults: {
      totp_last_step: 0,
      is_blocked: false,
      is_demo: false,
      approver_by: [],
      invited_by: null,
      reinvited_by: null,
    },
  },
  correction: {
    key: ['user_id', 'id'],
    unique: [['id']],
    int8: ['amount', 'asked_ms', 'decided_ms', 'posts_ms', 'disputed_ms', 'posted_ms'],
    defaults: { words: '', posts_ms: null, disputed_ms: null, posted_ms: null },
  },
  approval: {
    key: ['id'],
    int8: ['at_ms', 'amount'],
    defaults: { amount: 0n, place: '', mark: '', user_id: null, destination: null },
  },
  approver_count: { key: ['id'], int8: [] },
  admin_action_words: { key: ['line_id'] },
  // No user of the simulation closes the account.
  account_closing: { key: ['user_id', 'id'] },
  admin_action: {
    key: ['id'],
    int8: ['at_ms'],
    json: ['before', 'after'],
    defaults: { request_id: '', address: '' },
  },
}
