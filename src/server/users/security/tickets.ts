import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * A `second_step` ticket proves that the user typed the right password. Tickets of the other kinds hold the challenge
 * that a passkey must sign.
 */
export type TicketKind = 'second_step' | 'passkey_sign_in' | 'passkey_add' | 'passkey_confirm'

export interface Ticket {
  /** The user of the ticket. Null while the user logs in with a passkey alone. */
  readonly userId: string | null
  readonly challenge: string | null
}

const LIVES_MS = 5 * MINUTE_MS

/** Creates a ticket and returns its token, which is not stored. */
export async function issueTicket(ctx: Ctx, db: Db | Tx, kind: TicketKind, ticket: Ticket): Promise<string> {
  const token = makeToken((count) => ctx.randomBytes(count))
  const tokenHash = hashToken(token)
  assert(tokenHash, 'a token we make can be read')
  await db
    .insertInto('user_ticket')
    .values({
      token_hash: tokenHash,
      user_id: ticket.userId,
      kind,
      challenge: ticket.challenge,
      expires_ms: ctx.now() + LIVES_MS,
    })
    .execute()
  return token
}

/** Finds a ticket, which can still be used afterwards. Null when it does not exist or has expired. */
export async function findTicket(ctx: Ctx, token: string, kind: TicketKind): Promise<Ticket | null> {
  const tokenHash = hashToken(token)
  if (tokenHash === null) return null
  const row = await ctx.db
    .selectFrom('user_ticket')
    .select(['user_id', 'challenge'])
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_ms', '>', BigInt(ctx.now()))
    .executeTakeFirst()
  return row ? { userId: row.user_id, challenge: row.challenge } : null
}

/**
 * Deletes a ticket and returns it. Null when it does not exist or has expired, so only one of two concurrent calls
 * succeeds.
 */
export async function takeTicket(ctx: Ctx, db: Db | Tx, token: string, kind: TicketKind): Promise<Ticket | null> {
  const tokenHash = hashToken(token)
  if (tokenHash === null) return null
  const row = await db
    .deleteFrom('user_ticket')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_ms', '>', BigInt(ctx.now()))
    .returning(['user_id', 'challenge'])
    .executeTakeFirst()
  return row ? { userId: row.user_id, challenge: row.challenge } : null
}

/** Deletes a user's tickets. A user between the first and the second step of a log-in must start again. */
export async function dropTickets(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_ticket').where('user_id', '=', userId).execute()
}

export async function deleteAllTickets(tx: Tx): Promise<void> {
  await tx.deleteFrom('user_ticket').execute()
}
