import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** `second_step`: the password was right. The others: a passkey is asked to sign the challenge. */
export type TicketKind = 'second_step' | 'passkey_sign_in' | 'passkey_add' | 'passkey_confirm'

export interface Ticket {
  /** Null while nobody knows whose passkey will answer. */
  readonly userId: string | null
  readonly challenge: string | null
}

const LIVES_MS = 5 * MINUTE_MS

/** Makes a ticket; the answer is the only time anyone sees it. */
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

/** The ticket, still good afterwards; null when there is none. */
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

/** Uses the ticket up: of two at once one finds it. */
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

/** Whoever is between two steps begins again. */
export async function dropTickets(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_ticket').where('user_id', '=', userId).execute()
}

export async function deleteAllTickets(tx: Tx): Promise<void> {
  await tx.deleteFrom('user_ticket').execute()
}
