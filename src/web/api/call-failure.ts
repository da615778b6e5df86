import { readFailureBody } from '#contract/failure-body.ts'
import { t } from '#web/i18n/t.ts'

/** `refused`: the user can do something about it. `fault`: the server failed. `network`: nobody answered. */
export type FailureKind = 'refused' | 'fault' | 'network'

/** Why a call did not succeed. `message` is in the user's language and fit to be shown. */
export class CallFailure extends Error {
  readonly kind: FailureKind
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The stable word of the refusal: `username_taken`, `server_error`, `network`. */
  readonly code: string
  /** Messages by the name of the field they belong to. */
  readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(
    message: string,
    facts: { kind: FailureKind; status: number; code: string; errors?: Record<string, string[]>; cause?: unknown },
  ) {
    super(message, { cause: facts.cause })
    this.name = 'CallFailure'
    this.kind = facts.kind
    this.status = facts.status
    this.code = facts.code
    this.errors = facts.errors ?? {}
  }
}

export function networkFailure(cause: unknown): CallFailure {
  return new CallFailure(t('common.offline_error'), { kind: 'network', status: 0, code: 'network', cause })
}

/**
 * Reads a refusal. As the error catalogue has it: 404, 409, 422 and 429 show the server's own words, the rest 'Server
 * Error', as a page from a proxy in between may say anything.
 */
export async function failureOf(response: Response): Promise<CallFailure> {
  const { status } = response
  const body = await readFailureBody(response)
  const isRefusal = status >= 400 && status < 500 && body.message !== undefined
  return new CallFailure(isRefusal && body.message ? body.message : t('common.server_error'), {
    kind: isRefusal ? 'refused' : 'fault',
    status,
    code: body.code ?? 'server_error',
    ...(body.errors && { errors: body.errors }),
  })
}

/** What to show for anything that was thrown: a failure's own words, 'Server Error' for the rest. */
export function failureText(error: unknown): string {
  return error instanceof CallFailure ? error.message : t('common.server_error')
}
