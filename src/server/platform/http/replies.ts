import type { Failure } from '#contract/call.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import type { Refusal, RefusalParams } from '#core/result.ts'
import { type Language, message, refusalText } from '#server/platform/i18n/messages.ts'

/** A reply that is not a success, ready to be sent. */
export interface FailureReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Failure
}

/** A refusal in its wire format: status, message in the caller's language, and the field it concerns. */
export function refusalReply(refusal: Refusal<RefusalCode>, language: Language): FailureReply {
  const definition: { readonly status: number; readonly field?: string } = REFUSALS[refusal.refusal]
  const text = refusalText(refusal.refusal, language, refusal.params)
  const field = refusal.field ?? definition.field
  return {
    status: definition.status,
    headers: refusalHeaders(definition.status, refusal.params),
    body: { message: text, code: refusal.refusal, ...(field !== undefined && { errors: { [field]: [text] } }) },
  }
}

/** Returns the reply to a fault. It reveals only an id with which the operator finds the line in the log. */
export function faultReply(requestId: string, language: Language): FailureReply {
  const body = { message: message('message.server_error', language), code: 'server_error', request_id: requestId }
  return { status: 500, headers: {}, body }
}

/** Additional headers of a status: how to log in, when to retry. */
export function refusalHeaders(status: number, params: RefusalParams | undefined): Record<string, string> {
  switch (status) {
    case 401:
      return { 'www-authenticate': 'Bearer' }
    case 429:
    case 503:
      return { 'retry-after': String(params?.['seconds'] ?? 1) }
    default:
      return {}
  }
}
