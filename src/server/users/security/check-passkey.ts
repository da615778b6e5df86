import type { PasskeyUsed } from '#contract/security.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findPasskey, markPasskeyUsed } from '#server/users/security/factors.queries.ts'
import { type PasskeySite, readUsed } from '#server/users/security/passkeys.ts'
import { takeTicket, type TicketKind } from '#server/users/security/tickets.ts'

/**
 * Returns the passkey, and its user, that signed the challenge of a ticket. The ticket works only once, even if the signature is
 * wrong.
 */
export async function checkPasskey(
  ctx: Ctx,
  site: PasskeySite | null,
  given: {
    readonly kind: TicketKind
    readonly ticket: string
    readonly response: PasskeyUsed
    /** Accepts only a passkey of this user. */
    readonly userId?: string
  },
): Promise<Result<{ readonly userId: string; readonly passkeyId: string }, 'passkey_wrong' | 'ticket_over'>> {
  const ticket = await takeTicket(ctx, ctx.db, given.ticket, given.kind)
  if (ticket === null || ticket.challenge === null) return refuse('ticket_over')
  if (given.userId !== undefined && ticket.userId !== given.userId) return refuse('ticket_over')
  const passkey = await findPasskey(ctx.db, given.response.id)
  if (site === null || !passkey) return refuse('passkey_wrong')
  if (ticket.userId !== null && ticket.userId !== passkey.userId) return refuse('passkey_wrong')
  const counter = await readUsed(site, ticket.challenge, { response: given.response, passkey })
  if (counter === null) return refuse('passkey_wrong')
  const used = { from: passkey.counter, to: counter, at: ctx.now() }
  if (!(await markPasskeyUsed(ctx.db, passkey.id, used))) return refuse('passkey_wrong')
  return ok({ userId: passkey.userId, passkeyId: passkey.id })
}
