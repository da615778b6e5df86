import { createHash } from 'node:crypto'
import type { ReceivedFile } from '#contract/files.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { MAX_OPEN_TICKETS } from '#core/tickets/ticket-rules.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { findByRequest, type OpenTicket } from '#server/users/tickets/tickets.queries.ts'

/**
 * A message of a user. `requestId` is the id that the client chose for the request, and repeats when it sends the
 * request again.
 */
export interface UserMessage {
  readonly userId: string
  readonly requestId: string
  readonly words: string
  readonly pictures: readonly ReceivedFile[]
}

/**
 * Returns the content of a request as a text. A repeated request must have the same text. `place` is the number of the
 * ticket, or the subject and topic of a new ticket.
 */
export function requestText({ words, pictures }: UserMessage, place: readonly string[]): string {
  const files = pictures.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))
  return JSON.stringify([place, words, files])
}

/**
 * Returns the number of the ticket that an earlier request with the same id and text wrote to, or null. Refuses a
 * request that has the id of an earlier request, but another text.
 */
export async function findEarlier(
  { vault }: Pick<Ctx, 'vault'>,
  db: Db | Tx,
  { userId, requestId }: UserMessage,
  text: string,
): Promise<Result<string | null, 'ticket_conflict'>> {
  const earlier = await findByRequest(db, userId, requestId)
  if (earlier === null) return ok(null)
  return vault.hasFingerprint(text, earlier.fingerprint) ? ok(earlier.no) : refuse('ticket_conflict')
}

/**
 * Refuses a second open ticket about the same subject, and more open tickets than a user may have. Returns null when
 * the user may open this ticket.
 */
export function limitOf({ aboutKind, about }: Omit<OpenTicket, 'no'>, open: readonly OpenTicket[]) {
  const same = open.find((one) => one.aboutKind === aboutKind && one.about === about)
  if (same !== undefined) return refuse('ticket_open_already', { params: { no: same.no } })
  return open.length >= MAX_OPEN_TICKETS ? refuse('too_many_tickets', { params: { number: MAX_OPEN_TICKETS } }) : null
}
