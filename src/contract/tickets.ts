import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { FileIn } from '#contract/files.ts'
import { IsoTime, PageQuery, Text } from '#contract/wire.ts'
import {
  ABOUT_KINDS,
  ALL_TICKET_TOPICS,
  hasTopic,
  MAX_TICKET_WORDS,
  MIN_TICKET_WORDS,
  TICKET_STATES,
  VERDICTS,
} from '#core/tickets/ticket-rules.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'

const TicketRow = z.object({
  no: z.string(),
  about_kind: z.enum(ABOUT_KINDS),
  about: z.string().meta({ description: 'The reference of the order, deposit or withdrawal. Empty for the account.' }),
  topic: z.enum(ALL_TICKET_TOPICS),
  state: z.enum(TICKET_STATES).meta({ description: '`open` waits for staff, `waiting_user` for the user.' }),
  opened_at: IsoTime,
  last_at: IsoTime.meta({ description: 'The time of the newest message.' }),
  reopens_until: IsoTime.nullable().meta({ description: 'Until when a message opens a closed ticket again.' }),
  verdict: z.enum(VERDICTS).nullable(),
})
export type TicketRow = z.output<typeof TicketRow>

const TicketOut = TicketRow.extend({
  messages: z.array(
    z.object({
      seq: z.number().int(),
      by: z.enum(['user', 'staff']),
      words: z.string(),
      pictures: z.number().int().meta({ description: 'How many pictures the message has.' }),
      verdict: z.enum(VERDICTS).nullable(),
      at: IsoTime,
    }),
  ),
})
export type TicketOut = z.output<typeof TicketOut>

export const tickets = defineCall({
  method: 'GET',
  path: '/user/tickets',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "The caller's tickets, newest message first.",
  query: PageQuery,
  paged: true,
  reply: z.object({ tickets: z.array(TicketRow) }),
  refusals: [],
})

const No = z.object({ no: z.string().max(40) })

export const ticket = defineCall({
  method: 'GET',
  path: '/user/tickets/:no',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: 'A ticket of the caller with its messages.',
  params: No,
  reply: z.object({ ticket: TicketOut }),
  refusals: ['not_found'],
})

const Message = {
  words: z.string().trim().max(MAX_TICKET_WORDS),
  picture_1: FileIn.optional(),
  picture_2: FileIn.optional(),
  picture_3: FileIn.optional(),
  request_id: Text(64).meta({
    description: 'A repeated id writes nothing again. With other content, the status is 409.',
  }),
}
const MESSAGE_REFUSALS = [
  'ticket_words',
  'ticket_open_already',
  'too_many_tickets',
  'ticket_conflict',
  'file_too_large',
  'file_type',
  'file_unreadable',
  'picture_too_large',
  'too_many_attempts',
] as const

export const openTicket = defineCall({
  method: 'POST',
  path: '/user/tickets',
  who: 'verified',
  key: 'never',
  summary: `Opens a ticket about one thing, with ${MIN_TICKET_WORDS} to ${MAX_TICKET_WORDS} characters and up to three pictures.`,
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z
    .object({
      about_kind: z.enum(ABOUT_KINDS),
      about: z.string().trim().max(40).default(''),
      topic: z.enum(ALL_TICKET_TOPICS),
      ...Message,
    })
    .refine(({ about_kind: kind, topic }) => hasTopic(kind, topic), {
      path: ['topic'],
      error: 'not a topic of this thing',
    }),
  reply: z.object({ ticket: TicketOut }),
  refusals: ['about_unknown', ...MESSAGE_REFUSALS],
})

export const writeToTicket = defineCall({
  method: 'POST',
  path: '/user/tickets/:no/messages',
  who: 'verified',
  key: 'never',
  summary: 'Adds a message. Within 30 days after its end it opens the ticket again.',
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  params: No,
  body: z.object(Message),
  reply: z.object({ ticket: TicketOut }),
  refusals: ['not_found', 'ticket_closed', ...MESSAGE_REFUSALS],
})

export const closeTicket = defineCall({
  method: 'POST',
  path: '/user/tickets/:no/close',
  who: 'verified',
  key: 'never',
  summary: 'Closes a ticket of the caller.',
  params: No,
  reply: z.object({ ticket: TicketOut }),
  refusals: ['not_found', 'ticket_closed'],
})
