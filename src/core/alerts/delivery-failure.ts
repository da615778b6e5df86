/** Why a message about an alert was not sent. `mail`: a code of the mail server or of its connection. */
const FAILURES = [
  'private',
  'port',
  'not_found',
  'status',
  'timeout',
  'no_connection',
  'too_long',
  'gone',
  'mail',
] as const

/** Parses the stored code of a failure. A code that begins with `status` also names the HTTP status. */
export function readDeliveryFailure(code: string): {
  readonly name: (typeof FAILURES)[number]
  readonly status: string
} {
  const [first, status = ''] = code.split(' ')
  return { name: FAILURES.find((one) => one === first) ?? 'mail', status }
}
