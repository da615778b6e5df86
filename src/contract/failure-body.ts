/** The parsed body of a refusal or fault. */
export interface FailureBody {
  message?: string
  code?: string
  errors?: Record<string, string[]>
}

/** The key of messages that belong to no field. */
export const NO_FIELD = ''

/** Parses the body of an unsuccessful reply. A page from a proxy, or any other unknown content, gives `{}`. */
export async function readFailureBody(response: { json(): Promise<unknown> }): Promise<FailureBody> {
  let value: unknown
  try {
    value = await response.json()
  } catch {
    return {} // A body that is not JSON does not come from our server.
  }
  if (typeof value !== 'object' || value === null) return {}
  const body: FailureBody = {}
  if ('message' in value && isText(value.message)) body.message = value.message
  if ('code' in value && typeof value.code === 'string') body.code = value.code
  if ('errors' in value) body.errors = readErrors(value.errors)
  const [first] = Object.values(body.errors ?? {}).flat()
  if (body.message === undefined && first !== undefined) body.message = first
  return body
}

/** Parses a text, a list of texts, or either of them by field. Messages without a field get the empty name. */
function readErrors(value: unknown): Record<string, string[]> {
  const whole = textsOf(value)
  if (whole.length > 0) return { [NO_FIELD]: whole }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const fields = Object.entries(value).map(([name, texts]) => [name, textsOf(texts)] as const)
  return Object.fromEntries(fields.filter(([, texts]) => texts.length > 0))
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
