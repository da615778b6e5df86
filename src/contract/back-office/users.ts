import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { MEASURE_KINDS } from '#core/accounts/measures.ts'
import { DirectionOut, IsoTime, PositiveMoneyIn, MoneyOut, PriceOut, ResultOut } from '#contract/wire.ts'

/** A summary of a user account: a row of lists, and the first part of the account's page. */
const UserRow = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  mobile: z.string(),
  country_code: z.string(),
  verified: z.boolean(),
  trading: z.boolean(),
  may_sign_in: z.boolean(),
  is_bot: z.boolean(),
  cash: MoneyOut,
  staked: MoneyOut,
  created_at: IsoTime,
})
export type UserRow = z.output<typeof UserRow>

const YesNo = z.enum(['yes', 'no'])

export const staffUsers = defineStaffList({
  path: '/admin/users',
  may: 'users.see',
  summary: 'Users, newest first. The search finds the start of a name, email address or phone number, or an id.',
  filters: {
    search: SearchFilter,
    verified: optionalFilter(YesNo),
    trading: optionalFilter(z.enum(['on', 'off'])),
    sign_in: optionalFilter(z.enum(['allowed', 'blocked'])),
    kind: optionalFilter(z.enum(['people', 'bots'])),
  },
  row: UserRow,
})

const Id = z.object({ id: z.uuid() })
const Version = z.number().int()

const Limits = z.object({
  /** The limits that staff set for this user. Null: the limit for all users applies. */
  max_stake: MoneyOut.nullable(),
  max_open_stake: MoneyOut.nullable(),
  withdrawals: z.boolean(),
  /** Why the user cannot withdraw, as the user sees it. */
  withdrawals_reason: z.string(),
})

/** A measure against the user that is in force. */
const MeasureRow = z.object({
  id: z.string(),
  kind: z.enum(MEASURE_KINDS),
  reason: z.string(),
  since: IsoTime,
  /** When the measure ends by itself. Null: never. */
  until: IsoTime.nullable(),
  /**
   * Whether the measure ends after the longest time that one person can set. A second person can agree to a longer
   * time.
   */
  needs_second: z.boolean(),
})
export type MeasureRow = z.output<typeof MeasureRow>

export const staffUser = defineStaffCall({
  method: 'GET',
  path: '/admin/users/:id',
  may: 'users.see',
  summary: 'A user account with its balances and permissions.',
  params: Id,
  reply: UserRow.extend({
    version: Version,
    firstname: z.string(),
    lastname: z.string(),
    address: z.array(z.object({ label: z.string(), value: z.string() })),
    language: z.string(),
    invitation_code: z.string().nullable(),
    has_pin: z.boolean(),
    trading_reason: z.string(),
    sign_in_reason: z.string(),
    /** Why the verification was removed, as the user sees it. Empty unless it was removed. */
    verification_reason: z.string(),
    withdrawing: MoneyOut,
    credits: MoneyOut,
    open_orders: z.number(),
    limits: Limits,
    measures: z.array(MeasureRow),
    /** Set when the user is closing the account, or when the account was closed and its data erased. */
    closing: z.object({ state: z.enum(['closing', 'erased']), erases_at: IsoTime }).nullable(),
  }),
  refusals: ['not_found'],
})

const Reason = z.string().trim().max(500)
const Edit = { params: Id, reply: z.object({ version: Version }) }
const EDIT_REFUSALS = ['not_found', 'changed_meanwhile', 'reason_needed'] as const

export const staffSetTradingAllowed = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/trading',
  may: 'users.manage',
  summary: 'Turns trading on or off for a user, who sees the reason. Open orders settle as usual.',
  ...Edit,
  body: z.object({ version: Version, on: z.boolean(), reason: Reason }),
  refusals: [...EDIT_REFUSALS, 'words_needed', 'measure_used_up'],
})

export const staffSetLogInAllowed = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/sign-in',
  may: 'users.manage',
  summary:
    'Blocks or unblocks the log-in of a user, who sees the reason. A block ends all sessions of the user. A blocked user can log in to take the money out and to see the own records.',
  ...Edit,
  body: z.object({ version: Version, allowed: z.boolean(), reason: Reason }),
  refusals: [...EDIT_REFUSALS, 'words_needed', 'measure_used_up'],
})

export const staffSetVerified = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/verified',
  may: 'users.manage',
  summary:
    "Sets or removes a user's verification. The user must log in again. After a removal the user gets a code and sees the reason.",
  ...Edit,
  body: z.object({ version: Version, verified: z.boolean(), reason: Reason }),
  refusals: [...EDIT_REFUSALS, 'words_needed', 'measure_used_up'],
})

export const staffSetLimits = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/limits',
  may: 'users.limit',
  summary:
    'Limits new orders and withdrawals of a user, who sees the reason. Open orders and pending withdrawals do not change. A limit that stays the same is renewed.',
  ...Edit,
  body: z.object({
    version: Version,
    max_stake: PositiveMoneyIn.nullable(),
    max_open_stake: PositiveMoneyIn.nullable(),
    withdrawals: z.boolean(),
    withdrawals_reason: Reason,
    reason: Reason,
  }),
  refusals: [
    ...EDIT_REFUSALS,
    'words_needed',
    'amount_invalid',
    'amount_not_positive',
    'limit_is_ban',
    'measure_used_up',
  ],
})

export const staffAgreeMeasure = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/measures/:measure/agree',
  may: 'users.see',
  summary: 'Adds the second approval to a measure, so that it lasts longer than the 72 hours of one person.',
  params: Id.extend({ measure: z.uuid() }),
  reply: z.object({ until: IsoTime.nullable() }),
  refusals: ['not_found', 'measure_not_open', 'not_approver', 'not_independent', 'second_person_needed'],
})

/** A transfer between two accounts. House accounts start with `house:`; user accounts do not. */
const TransferRow = z.object({
  time: IsoTime,
  kind: z.string(),
  step: z.string(),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  amount: MoneyOut,
  /** The change of the user's cash: negative when money left it. */
  cash: MoneyOut,
  currency: z.string(),
})
export type TransferRow = z.output<typeof TransferRow>

export const staffUserTransfers = defineStaffList({
  path: '/admin/users/:id/transfers',
  may: 'users.see',
  summary: 'All transfers of a user, newest first.',
  params: Id,
  filters: {},
  row: TransferRow,
})

const UserOrderRow = z.object({
  id: z.string(),
  trx: z.string(),
  symbol: z.string(),
  direction: DirectionOut,
  stake: MoneyOut,
  payout: z.number(),
  opened_at: IsoTime,
  expires_at: IsoTime,
  entry: PriceOut,
  exit: PriceOut.nullable(),
  result: ResultOut,
  result_amount: MoneyOut.nullable(),
  void_reason: z.string().nullable(),
  settled_at: IsoTime.nullable(),
})
export type UserOrderRow = z.output<typeof UserOrderRow>

export const staffUserOrders = defineStaffList({
  path: '/admin/users/:id/orders',
  may: 'users.see',
  summary: 'Open or settled orders of a user, newest first.',
  params: Id,
  filters: { state: z.enum(['open', 'settled']).default('open') },
  row: UserOrderRow,
})

export const staffUserSessions = defineStaffCall({
  method: 'GET',
  path: '/admin/users/:id/sessions',
  may: 'users.see',
  summary: 'Open sessions of a user, newest first.',
  params: Id,
  reply: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        created_at: IsoTime,
        expires_at: IsoTime,
        user_agent: z.string(),
        address: z.string(),
      }),
    ),
  }),
  refusals: [],
})

export const staffEndUserSession = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/sessions/:session/end',
  may: 'users.manage',
  summary: 'Ends one session of a user with its sockets.',
  params: Id.extend({ session: z.string().regex(/^[0-9a-f]{32}$/) }),
  reply: z.null(),
  refusals: ['not_found'],
})

export const staffEndUserSessions = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/sessions/end',
  may: 'users.manage',
  summary: 'Ends all sessions of a user with their sockets. The user can log in again.',
  params: Id,
  reply: z.object({ ended: z.number() }),
  refusals: ['not_found'],
})

export const staffUserCodes = defineStaffList({
  path: '/admin/users/:id/codes',
  may: 'users.see',
  summary: 'Codes that were sent to a user: when, for what and where. The codes themselves are not stored.',
  params: Id,
  filters: {},
  row: z.object({ id: z.string(), time: IsoTime, kind: z.string(), sent_to: z.string() }),
})

export const staffUserNotes = defineStaffList({
  path: '/admin/users/:id/notes',
  may: 'users.see',
  summary: 'Staff notes about a user, newest first. Notes cannot be changed.',
  params: Id,
  filters: {},
  row: z.object({ id: z.string(), time: IsoTime, by: z.string(), text: z.string() }),
})

export const staffAddUserNote = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/notes',
  may: 'users.see',
  summary: 'Adds a note about a user. Only staff can see it.',
  params: Id,
  body: z.object({ text: z.string().trim().max(2_000) }),
  reply: z.object({ id: z.string() }),
  refusals: ['not_found', 'note_empty'],
})
