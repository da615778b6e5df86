import { calls } from '#contract/calls.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { checkResetCode } from '#server/users/password-reset/check-reset-code.ts'
import { resetPassword } from '#server/users/password-reset/reset-password.ts'
import type { LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import type { ResetCodes } from '#server/users/password-reset/send-reset-code.ts'

export function passwordResetRoutes(
  register: Register,
  parts: {
    readonly ctx: Ctx
    readonly passwords: Passwords
    readonly resetCodes: ResetCodes
    readonly signIns: LogInRecorder
  },
): void {
  register(calls.forgetPassword, async ({ body, from, language }) => {
    const sent = await parts.resetCodes.send(body.value, { address: from.address, device: body.device ?? null })
    return sent.ok ? answer({ request: sent.value }, { message: message('message.code_sent', language) }) : sent
  })
  register(calls.checkResetCode, async ({ body, from }) => {
    const right = await checkResetCode(parts, {
      email: body.email ?? null,
      code: body.code,
      request: body.request ?? null,
      from: from.address,
      device: body.device ?? null,
    })
    return right.ok ? answer({ accounts: right.value.accounts.map(({ username }) => username) }) : right
  })
  register(calls.resetPassword, async ({ body, from, language }) => {
    const done = await resetPassword(parts, body, from)
    return done.ok ? answer(done.value, { message: message('message.updated', language) }) : done
  })
}
