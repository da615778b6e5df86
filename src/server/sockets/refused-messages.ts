import type { z } from 'zod'
import type { AppSocketIn, SocketError } from '#contract/live/app-socket.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import type { Refusal } from '#core/result.ts'
import { type Language, message, refusalText } from '#server/platform/i18n/messages.ts'
import type { TradeStatus } from '#server/sockets/live.queries.ts'

type Message = z.output<typeof AppSocketIn>

/** Returns the refusal of the first fault in a message. */
export function codeOf({ issues }: z.ZodError): RefusalCode {
  const [issue] = issues
  const code: unknown = issue?.code === 'custom' ? issue.params?.['refusal'] : undefined
  return typeof code === 'string' && isRefusalCode(code) ? code : 'bad_request'
}

/** Returns the innermost field name of an issue: `amount` for `data.amount`. */
export function fieldOf({ issues }: z.ZodError): { field?: string } {
  const name = issues[0]?.path.at(-1)
  return typeof name === 'string' && name !== 'data' ? { field: name } : {}
}

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code)
}

/** The reply to a message that is refused. */
export function errorMessage({ refusal, params }: Refusal<RefusalCode>, language: Language): SocketError {
  return { type: 'error', code: refusal, message: refusalText(refusal, language, params) }
}

/** The reply to a message that could not be processed because of a fault in the server. */
export function faultMessage(clientMessage: Message, language: Language): object {
  const fault = { code: 'server_error', message: message('message.server_error', language) }
  if (clientMessage.action !== 'newTrade') return { type: 'error', ...fault }
  return { type: 'newTrade', status: 'error', ...fault, clientOrderId: clientMessage.data.clientOrderId ?? null }
}

/** Why the user cannot trade. Empty for a user who can. */
export function closedReason({ allowed, reason, closed }: TradeStatus, language: Language): string {
  if (closed === null) return allowed ? '' : reason
  const { refusal, params } = closed
  return refusalText(refusal, language, params)
}
