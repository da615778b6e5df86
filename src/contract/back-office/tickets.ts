import { z } from 'zod'
import { RemarkBody, RemarksOut } from '#contract/back-office/money-queues.ts'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut, PriceOut } from '#contract/wire.ts'
import { STEP_NAMES } from '#core/wallet/withdrawal-state.ts'
import {
  ABOUT_KINDS,
  ALL_TICKET_TOPICS,
  CHECK_OUTCOMES,
  MAX_TICKET_WORDS,
  TICKET_STATES,
  VERDICTS,
} from '#core/tickets/ticket-rules.ts'

const StaffTicketRow = z.object({
  no: z.string(),
  about_kind: z.enum(ABOUT_KINDS),
  /**
   * The reference of the order, deposit or withdrawal that the ticket is about. Empty when the ticket is about the
   * account.
   */
  about: z.string(),
  topic: z.enum(ALL_TICKET_TOPICS),
  state: z.enum(TICKET_STATES),
  user_id: z.string(),
  username: z.string(),
  /** The staff member who looks after the ticket. */
  owner: z.string().nullable(),
  opened_at: IsoTime,
  /** The time of the newest message. */
  last_at: IsoTime,
  /** Until when the user should have a reply. Null while no reply is due. */
  due_at: IsoTime.nullable(),
  is_overdue: z.boolean(),
  verdict: z.enum(VERDICTS).nullable(),
})
export type StaffTicketRow = z.output<typeof StaffTicketRow>

export const staffTickets = defineStaffList({
  path: '/admin/tickets',
  may: 'tickets.see',
  summary:
    'Tickets about things that the role may see. Open ones come longest silence first, all of them newest first.',
  filters: {
    which: optionalFilter(z.enum(['mine', 'nobody', 'overdue', 'all'])),
    /** A username, or the beginning of a ticket number. */
    search: SearchFilter,
  },
  row: StaffTicketRow,
})

const No = z.object({ no: z.string().max(40) })

const StaffTicketOut = StaffTicketRow.extend({
  owner_id: z.string().nullable(),
  closed_by: z.enum(['user', 'staff', 'silence']).nullable(),
  /** The position of the newest message in the ticket. A reply sends it back as `last`. */
  last: z.number().int(),
  messages: z.array(
    z.object({
      seq: z.number().int(),
      /** The staff member who wrote the message. Null when the user wrote it. */
      who: z.string().nullable(),
      words: z.string(),
      /** Names of pictures, served at `/admin/ticket-pictures/:name`. */
      pictures: z.array(z.string()),
      verdict: z.enum(VERDICTS).nullable(),
      at: IsoTime,
    }),
  ),
  remarks: RemarksOut,
  /** Staff members who can look after the ticket. */
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  may_answer: z.boolean(),
  may_decide: z.boolean(),
})
export type StaffTicketOut = z.output<typeof StaffTicketOut>

export const staffTicket = defineStaffCall({
  method: 'GET',
  path: '/admin/tickets/:no',
  may: 'tickets.see',
  summary: 'A ticket with its messages and the remarks of staff.',
  params: No,
  reply: StaffTicketOut,
  refusals: ['not_found'],
})

const Tick = z.object({ q: z.number(), price: PriceOut, at: IsoTime })

/** An order with the result of its check. The public check page uses the same receipts, tick log and code. */
const OrderEvidence = z.object({
  trx: z.string(),
  symbol: z.string(),
  decimals: z.number(),
  direction: z.enum(['buy', 'sell']),
  stake: MoneyOut,
  state: z.enum(['open', 'won', 'lost', 'draw', 'void', 'sold']),
  void_reason: z.string().nullable(),
  opened_at: IsoTime,
  expires_at: IsoTime,
  check: z.object({
    /** `later`: the receipts are not signed yet. `gone`: the tick log no longer has the prices. */
    outcome: z.enum(CHECK_OUTCOMES),
    recomputed: z.enum(['win', 'lose', 'draw']).nullable(),
    faults: z.array(z.string()),
  }),
  entry: Tick,
  exit: Tick.nullable(),
  /** Ticks of the symbol around the entry and around the expiry. */
  entry_ticks: z.array(Tick),
  expiry_ticks: z.array(Tick),
  delays: z.object({
    /** Time from the entry tick to the acceptance of the order. */
    entry_ms: z.number(),
    /** Time from the expiry to the decision, and from the expiry to the payment. */
    decided_ms: z.number().nullable(),
    settled_ms: z.number().nullable(),
  }),
  incidents: z.array(
    z.object({
      kind: z.enum(['void', 'gap', 'feed']),
      cause: z.string(),
      from: IsoTime,
      to: IsoTime.nullable(),
      source: z.string().nullable(),
    }),
  ),
})
export type OrderEvidence = z.output<typeof OrderEvidence>

const PaymentEvidence = z.object({
  trx: z.string(),
  method: z.string(),
  amount: MoneyOut,
  /** The reference of the payment. */
  reference: z.string().nullable(),
  steps: z.array(
    z.object({ step: z.enum([...STEP_NAMES, 'credited']), at: IsoTime, who: z.string(), words: z.string() }),
  ),
})
export type PaymentEvidence = z.output<typeof PaymentEvidence>

export const staffTicketEvidence = defineStaffCall({
  method: 'GET',
  path: '/admin/tickets/:no/evidence',
  may: 'tickets.see',
  summary: 'The facts about the thing of a ticket: an order checked again, or the steps of a payment.',
  params: No,
  reply: z.object({ order: OrderEvidence.nullable(), payment: PaymentEvidence.nullable() }),
  refusals: ['not_found'],
})

const Done = { params: No, reply: z.object({ ticket: StaffTicketOut }) }

export const staffTakeTicket = defineStaffCall({
  method: 'POST',
  path: '/admin/tickets/:no/take',
  may: 'tickets.see',
  summary: 'Takes a ticket that nobody looks after.',
  ...Done,
  refusals: ['not_found', 'ticket_over', 'ticket_taken'],
})

/**
 * The message that a staff member sends. `last` is the position of the newest message that the staff member has read.
 */
const Message = {
  words: z.string().trim().max(MAX_TICKET_WORDS),
  last: z.number().int(),
  request_id: z.string().min(1).max(64),
}
const MESSAGE_REFUSALS = ['not_found', 'ticket_over', 'words_needed', 'content_changed', 'request_conflict'] as const

export const staffAnswerTicket = defineStaffCall({
  method: 'POST',
  path: '/admin/tickets/:no/answer',
  may: 'tickets.answer',
  summary: 'Sends a reply to the user. A ticket about an order or a payment is closed only with a verdict.',
  ...Done,
  body: z.object({ ...Message, closes: z.boolean().default(false) }),
  refusals: [...MESSAGE_REFUSALS, 'verdict_needed'],
})

export const staffDecideTicket = defineStaffCall({
  method: 'POST',
  path: '/admin/tickets/:no/verdict',
  may: 'tickets.verdict',
  summary: 'Tells the user a verdict with its reason. It changes no result and moves no money.',
  ...Done,
  body: z.object({ ...Message, verdict: z.enum(VERDICTS) }),
  refusals: [...MESSAGE_REFUSALS, 'not_allowed', 'verdict_unfit'],
})

export const staffMoveTicket = defineStaffCall({
  method: 'POST',
  path: '/admin/tickets/:no/move',
  may: 'tickets.see',
  summary: 'Hands a ticket to another staff member, or to nobody.',
  ...Done,
  body: z.object({
    to: z.uuid().nullable(),
    /** The owner of the ticket that the staff member saw before the change. */
    from: z.uuid().nullable(),
  }),
  refusals: ['not_found', 'ticket_over', 'changed_meanwhile', 'ticket_blind'],
})

export const staffRemarkTicket = defineStaffCall({
  method: 'POST',
  path: '/admin/tickets/:no/remark',
  may: 'tickets.see',
  summary: 'Adds a staff note, which the user never sees.',
  params: No,
  body: RemarkBody,
  reply: z.object({ remarks: RemarksOut }),
  refusals: ['not_found', 'remark_needed'],
})
