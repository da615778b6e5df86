import { z } from 'zod'
import { PERIOD_FILTERS } from '#contract/back-office/period.ts'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'

export const staffLedger = defineStaffCall({
  method: 'GET',
  path: '/admin/ledger',
  may: 'ledger.see',
  summary: 'The result of the last reconciliation, with the totals of all accounts at that time.',
  reply: z.object({
    is_checking: z.boolean(),
    /** The report of the newest reconciliation. Null before the first one. */
    report: z
      .object({
        checked_at: IsoTime,
        took_ms: z.number(),
        /**
         * When all transfers were last read. Equals `checked_at`, unless this reconciliation started from the sums of
         * an earlier one.
         */
        whole_at: IsoTime,
        /**
         * For transfers before this time, the reconciliation used stored sums. Null when the reconciliation read all
         * transfers.
         */
        sums_until: IsoTime.nullable(),
        is_clean: z.boolean(),
        users: z.number(),
        transfers: z.number(),
        open_orders: z.number(),
        sum_of_all: MoneyOut,
        accounts: z.array(z.object({ account: z.string(), total: MoneyOut })),
        unknown_accounts: z.array(z.string()),
        mismatches: z.array(
          z.object({ user_id: z.string(), what: z.string(), cached: z.string(), counted: z.string() }),
        ),
      })
      .nullable(),
  }),
  refusals: [],
})

export const staffCheckLedger = defineStaffCall({
  method: 'POST',
  path: '/admin/ledger/check',
  may: 'ledger.see',
  summary: 'Starts a reconciliation, unless one is running. GET /admin/ledger returns its result.',
  reply: z.null(),
  refusals: [],
})

const TransferRow = z.object({
  at: IsoTime,
  user_id: z.string(),
  username: z.string(),
  kind: z.string(),
  step: z.string(),
  from_account: z.string(),
  to_account: z.string(),
  amount: MoneyOut,
  currency: z.string(),
  /** The id of the order, deposit or other record that the transfer belongs to. */
  ref: z.string(),
})
export type TransferRow = z.output<typeof TransferRow>

export const staffTransfers = defineStaffList({
  path: '/admin/ledger/transfers',
  may: 'ledger.see',
  summary: 'Transfers, newest first.',
  filters: {
    user: optionalFilter(z.string().trim().max(100)),
    kind: optionalFilter(z.string().trim().max(60)),
    account: optionalFilter(z.enum([...USER_ACCOUNTS, ...HOUSE_ACCOUNTS])),
    /** The reference of an order, a deposit or a withdrawal, as users see it. */
    ref: optionalFilter(z.string().trim().toUpperCase().max(40)),
    ...PERIOD_FILTERS,
  },
  row: TransferRow,
})

export const staffTransfersOf = defineStaffCall({
  method: 'GET',
  path: '/admin/ledger/transfers/:user_id/:ref',
  may: 'ledger.see',
  summary: 'All transfers of one record in order, and the reference of the record.',
  params: z.object({ user_id: z.uuid(), ref: z.uuid() }),
  reply: z.object({
    about: z.object({ kind: z.enum(['order', 'deposit', 'withdrawal']), trx: z.string() }).nullable(),
    transfers: z.array(TransferRow),
  }),
  refusals: ['not_found'],
})
