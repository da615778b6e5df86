import type { Generated } from 'kysely'
import type { AboutKind, TicketState, TicketTopic, Verdict } from '#core/tickets/ticket-rules.ts'
import type { Bytes, Int8, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/** A complaint of a user about one thing. */
export interface TicketTable {
  user_id: string
  id: string
  no: string
  about_kind: AboutKind
  about: string
  topic: TicketTopic
  state: Generated<TicketState>
  owner: string | null
  opened_ms: Int8
  last_ms: Int8
  last_seq: Generated<number>
  due_ms: OptionalInt8
  closed_ms: OptionalInt8
  closed_by: 'user' | 'staff' | 'silence' | null
  verdict: Verdict | null
}

/** A message of the user or of staff. */
export interface TicketMessageTable {
  user_id: string
  ticket_id: string
  seq: number
  id: string
  staff_id: string | null
  words: string
  pictures: Generated<string[]>
  verdict: Verdict | null
  request_id: string | null
  fingerprint: Bytes | null
  at_ms: Int8
}
