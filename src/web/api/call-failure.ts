import { readFailureBody } from '#contract/failure-body.ts'
import { t } from '#web/i18n/t.ts'

/** `refused`: the user can correct the request. `fault`: the server failed. `network`: no server replied. */
export type FailureKind = 'refused' | 'fault' | 'network'

/** A failed call. `message` is in the user's language and can be shown. */
export class CallFailure extends Error {
  readonly kind: FailureKind
  /** The HTTP status; 0 when no server replied. */
  readonly status: number
  /** The stable code of the failure: `username_taken`, `server_error`, `network`. */
  readonly code: string
  /** Error messages by field name. */
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
 * Converts an error response to a failure. The server's message is shown for a refusal (status 400 to 499), and for a
 * statement that does not add up. All other responses show 'Server Error', because a proxy may have written them.
 */
export async function failureOf(response: Response): Promise<CallFailure> {
  const { status } = response
  const body = await readFailureBody(response)
  const isRefusal = status >= 400 && status < 500 && body.message !== undefined
  const isShown = isRefusal || body.code === 'books_differ'
  return new CallFailure(isShown && body.message ? body.message : t('common.server_error'), {
    kind: isRefusal ? 'refused' : 'fault',
    status,
    code: body.code ?? 'server_error',
    ...(body.errors && { errors: body.errors }),
  })
}

/** Returns the text to show for any thrown error: a failure's message, or 'Server Error'. */
export function failureText(error: unknown): string {
  return error instanceof CallFailure ? error.message : t('common.server_error')
}
