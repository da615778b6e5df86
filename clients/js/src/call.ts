import { type Calls, DECIMAL_NAMES } from './contract.ts'

/**
 * A refusal of the server, or a reply that cannot be read. `code` is one of the codes that the API documentation lists.
 */
export class FairwickError extends Error {
  override readonly name = 'FairwickError'
  readonly code: string
  /** The HTTP status. Undefined for a refusal over the socket. */
  readonly status: number | undefined
  /** The number of seconds after which the call may be repeated. */
  readonly retryAfterS: number | undefined

  constructor(code: string, message = code, { status, retryAfterS }: { status?: number; retryAfterS?: number } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

export type CallName = keyof Calls
export type Input<Name extends CallName> = Calls[Name]['input']
export type Reply<Name extends CallName> = Calls[Name]['reply']

interface Parts {
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

/** Makes one call, without retries. Throws a `FairwickError` when the server refuses the call. */
export async function makeCall(
  { url, key }: { readonly url: string; readonly key?: string | undefined },
  name: CallName,
  { params, query, body }: Parts,
): Promise<unknown> {
  const [method = 'GET', template = ''] = name.split(' ')
  const values = new Map(Object.entries(params ?? {}))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(values.get(part))))
  const address = new URL(`/api${path}`, url)
  for (const [part, value] of Object.entries(query ?? {}))
    if (value !== undefined) address.searchParams.set(part, String(value))
  const response = await fetch(address, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const reply = parseReply(await response.text())
  if (response.ok && reply !== null) return reply
  const { code = 'reply_unreadable', message }: { code?: string; message?: string } = reply ?? {}
  const seconds = Number(response.headers.get('retry-after'))
  throw new FairwickError(code, message, { status: response.status, ...(seconds > 0 && { retryAfterS: seconds }) })
}

const decimals = new Set(DECIMAL_NAMES)

/**
 * Parses JSON and converts amounts and prices to text, because sums of floating point numbers are not exact. Returns
 * null when the text is not a JSON object.
 */
export function parseReply(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text, (name, part: unknown) =>
      typeof part === 'number' && decimals.has(name) ? plainDecimal(part) : part,
    )
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const MAX_DECIMALS = 12

/** Formats a number without an exponent. */
function plainDecimal(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(MAX_DECIMALS).replace(/0+$/, '') : text
}
