import { assert } from '#core/result.ts'
import { hashToken, makeToken } from '#server/platform/credentials/session-token.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

type TicketKind = 'invitation' | 'second_step'

export interface StaffTicket {
  readonly staffId: string
  /** The encrypted secret for the authenticator app of an invited person. Null in the ticket of a log-in. */
  readonly totpSecret: string | null
}

/** Creates a ticket and returns its token, which is not stored. */
export async function issueTicket(
  ctx: Ctx,
  db: Db | Tx,
  ticket: {
    readonly staffId: string
    readonly kind: TicketKind
    readonly totpSecret: string | null
    readonly livesMs: number
  },
): Promise<string> {
  const token = makeToken((count) => ctx.randomBytes(count))
  const tokenHash = hashToken(token)
  assert(tokenHash, 'a token we make can be read')
  await db
    .insertInto('staff_ticket')
    .values({
      token_hash: tokenHash,
      staff_id: ticket.staffId,
      kind: ticket.kind,
      totp_secret: ticket.totpSecret,
      expires_ms: ctx.now() + ticket.livesMs,
    })
    .execute()
  return token
}

/** Returns the ticket and locks its row, so that the second of two concurrent uses finds it consumed. */
export async function lockTicket(ctx: Ctx, tx: Tx, token: string, kind: TicketKind): Promise<StaffTicket | null> {
  const tokenHash = hashToken(token)
  if (tokenHash === null) return null
  const row = await tx
    .selectFrom('staff_ticket')
    .select(['staff_id', 'totp_secret'])
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_ms', '>', BigInt(ctx.now()))
    .forUpdate()
    .executeTakeFirst()
  return row ? { staffId: row.staff_id, totpSecret: row.totp_secret } : null
}

export async function removeTickets(tx: Tx, staffId: string, kind: TicketKind): Promise<void> {
  await tx.deleteFrom('staff_ticket').where('staff_id', '=', staffId).where('kind', '=', kind).execute()
}

export async function deleteAllStaffTickets(tx: Tx): Promise<void> {
  await tx.deleteFrom('staff_ticket').execute()
}
