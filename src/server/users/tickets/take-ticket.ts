import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { lockTicket, updateTicket } from '#server/users/tickets/tickets.queries.ts'

interface Owning {
  readonly no: string
  readonly actor: Actor
}

/** Assigns an unassigned ticket to a staff member. */
export async function takeTicket(
  ctx: Ctx,
  { no, staffId, actor }: Owning & { readonly staffId: string },
): Promise<Result<undefined, 'not_found' | 'ticket_over' | 'ticket_taken'>> {
  return setOwner<'ticket_taken'>(ctx, { no, actor }, staffId, (owner) =>
    owner === null ? null : refuse('ticket_taken'),
  )
}

/** Reassigns a ticket, or leaves it unassigned. `from` is the assignee that the calling staff member saw. */
export async function moveTicket(
  ctx: Ctx,
  { no, from, to, actor }: Owning & { readonly from: string | null; readonly to: string | null },
): Promise<Result<undefined, 'not_found' | 'ticket_over' | 'changed_meanwhile'>> {
  return setOwner<'changed_meanwhile'>(ctx, { no, actor }, to, (owner) =>
    owner === from ? null : refuse('changed_meanwhile'),
  )
}

async function setOwner<R extends string>(
  ctx: Ctx,
  { no, actor }: Owning,
  to: string | null,
  check: (owner: string | null) => ReturnType<typeof refuse<R>> | null,
): Promise<Result<undefined, R | 'not_found' | 'ticket_over'>> {
  return ctx.db.transaction().execute(async (tx): Promise<Result<undefined, R | 'not_found' | 'ticket_over'>> => {
    const ticket = await lockTicket(tx, no)
    if (ticket === null) return refuse('not_found')
    if (ticket.state === 'closed') return refuse('ticket_over')
    const refused = check(ticket.owner)
    if (refused !== null) return refused
    await updateTicket(tx, ticket, { owner: to })
    await recordAction(tx, ctx, actor, {
      target: no,
      outcome: 'done',
      before: { owner: ticket.owner },
      after: { owner: to },
    })
    return ok()
  })
}
