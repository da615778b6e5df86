import type { LeaveOut } from '#contract/leave.ts'
import { maskAddress } from '#core/accounts/mask-address.ts'
import { calls } from '#contract/calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { remainingPrincipalOf } from '#server/payments/withdrawals/deadline.queries.ts'
import { givenDetails } from '#server/payments/withdrawals/given-details.ts'
import { createLeaveCodes } from '#server/payments/withdrawals/leave-code.ts'
import { canOnlyLeave, findCash, findLeave, type Leave } from '#server/payments/withdrawals/leave.queries.ts'
import { createPins } from '#server/payments/withdrawals/pins.ts'
import { requestLeave } from '#server/payments/withdrawals/request-leave.ts'
import type { WithdrawalsParts } from '#server/payments/withdrawals/withdrawals.routes.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { findProvenContact } from '#server/users/accounts/one-time-codes.queries.ts'
import { findPinHash } from '#server/users/accounts/pins.queries.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'

/** Registers the calls by which a blocked user withdraws all money and so closes the account. */
export function leaveRoutes(
  register: Register,
  { ctx, passwords, settings, messenger }: WithdrawalsParts & { readonly messenger: Messenger },
): void {
  const pins = createPins({ ctx, passwords })
  const codes = createLeaveCodes({ ctx, passwords, messenger, settings })

  register(calls.leave, async ({ user: { userId } }) =>
    answer({
      available: moneyNumber(await findCash(ctx.db, userId)),
      principal: moneyNumber(await remainingPrincipalOf(ctx.db, userId)),
      leave: toLeaveReply(await findLeave(ctx.db, userId)),
      code_to: await codeAddress(ctx, userId),
    }),
  )
  register(calls.sendLeaveCode, async ({ user, language }) => {
    const sent = (await canOnlyLeave(ctx.db, user.userId))
      ? await codes.send(user.userId)
      : refuse('leave_blocked_only')
    return sent.ok ? answer({ sent_to: sent.value }, { message: message('message.code_sent', language) }) : sent
  })
  register(calls.requestLeave, async ({ user, body, language }) => {
    if (await needsConfirmation(ctx, user, { always: true })) return refuse('confirmation_needed')
    const { userId } = user
    const fields = givenDetails(body.fields)
    const request = { userId, methodId: body.method_id, pin: body.withdrawal_code ?? '', code: body.code ?? '', fields }
    const done = await requestLeave({ ctx, pins, codes }, request, settings.current)
    if (!done.ok) return done
    const text = message('message.withdrawal_requested', language)
    return answer({ leave: toLeaveReply(await findLeave(ctx.db, userId)) }, { message: text })
  })
}

/**
 * Returns the masked address that a code goes to. Returns null when the user confirms with a PIN, or has no verified
 * contact.
 */
async function codeAddress(ctx: Ctx, userId: string): Promise<string | null> {
  if ((await findPinHash(ctx.db, userId)) !== null) return null
  const contact = await findProvenContact(ctx.db, userId)
  return contact && maskAddress(contact.address)
}

function toLeaveReply(leave: Leave | null): LeaveOut {
  if (leave === null) return null
  const { requestedAt, state, finishedAt, againAt } = leave
  return {
    requested_at: toIso(requestedAt),
    state,
    finished_at: finishedAt && toIso(finishedAt),
    again_at: againAt && toIso(againAt),
  }
}
