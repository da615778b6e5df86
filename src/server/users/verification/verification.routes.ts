import { calls } from '#contract/calls.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { resendCode, type SendCodeParts } from '#server/users/verification/send-code.ts'
import { verifyCode } from '#server/users/verification/verify-code.ts'

export function verificationRoutes(register: Register, parts: SendCodeParts): void {
  register(calls.resendCode, async ({ user, from, language }) => {
    const sent = await resendCode(parts, { userId: user.userId, address: from.address })
    if (!sent.ok) return sent
    const { channel, sentTo } = sent.value
    return answer({ channel, sent_to: sentTo }, { message: message('message.code_sent', language) })
  })
  register(calls.verifyCode, async ({ user, body, from, language }) => {
    const done = await verifyCode(parts, { userId: user.userId, address: from.address }, body.code)
    return done.ok ? answer({}, { message: message('message.verified', language) }) : done
  })
}
