import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { finishRecovery, openRecoveryLink } from '#server/users/recovery/finish-recovery.ts'
import { readStopToken } from '#server/users/recovery/stop-token.ts'
import { stopOwnRecovery, stopRecovery } from '#server/users/recovery/stop-recovery.ts'

/**
 * Registers the calls for users whose account is being recovered: to stop the recovery, and to set new factors with the
 * link.
 */
export function recoveryRoutes(register: Register, parts: { readonly ctx: Ctx; readonly passwords: Passwords }): void {
  const { ctx } = parts
  register(calls.stopRecovery, async ({ user: { userId } }) => {
    const stopped = await stopOwnRecovery(ctx, userId)
    return stopped.ok ? answer({}) : stopped
  })
  register(calls.stopRecoveryByLink, async ({ params: { token } }) => {
    const id = readStopToken(ctx.vault, token)
    const stopped = id === null ? null : await stopRecovery(ctx, id, { isUser: true })
    return stopped?.ok === true ? answer({}) : refuse('recovery_over')
  })
  register(calls.recoveryLink, async ({ params: { token } }) => {
    const found = await openRecoveryLink(ctx, token)
    return answer({ recovery: found && { username: found.username, lost: [...found.lost] } })
  })
  register(calls.finishRecovery, async ({ params: { token }, body, from, language }) => {
    const given = {
      token,
      password: body.password,
      passwordConfirmation: body.password_confirmation,
      pin: body.withdrawal_code ?? '',
      pinConfirmation: body.withdrawal_code_confirmation ?? '',
    }
    const done = await finishRecovery(parts, given, from)
    return done.ok ? answer({}, { message: message('message.updated', language) }) : done
  })
}
