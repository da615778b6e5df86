import { calls } from '#contract/calls.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { message } from '#server/messages.ts'
import { checkResetCode } from '#server/password-reset/check-reset-code.ts'
import { resetPassword } from '#server/password-reset/reset-password.ts'
import type { SignIns } from '#server/security/sign-ins.ts'
import type { ResetCodes } from '#server/password-reset/send-reset-code.ts'

export function passwordResetRoutes(
  register: Register,
  parts: {
    readonly ctx: Ctx
    readonly passwords: Passwords
    readonly resetCodes: ResetCodes
    readonly signIns: SignIns
  },
): void {
  register(calls.forgetPassword, async ({ body, from, language }) => {
    const sent = await parts.resetCodes.send(body.value, from)
    return sent.ok ? answer({}, { message: message('message.code_sent', language) }) : sent
  })
  register(calls.checkResetCode, async ({ body }) => {
    const right = await checkResetCode(parts, body)
    return right.ok ? answer({}) : right
  })
  register(calls.resetPassword, async ({ body, language }) => {
    const done = await resetPassword(parts, body)
    return done.ok ? answer({}, { message: message('message.updated', language) }) : done
  })
}
