/** What could be read of the body of a refusal. */
export interface FailureBody {
  message?: string
  code?: string
  errors?: Record<string, string[]>
}

/** The name under which messages stand that belong to no field. */
export const NO_FIELD = ''

/** Reads the body of an answer that is no success. A page from a proxy in between may say anything: that reads as `{}`. */
export async function readFailureBody(response: { json(): Promise<unknown> }): Promise<FailureBody> {
  let value: unknown
  try {
    value = await response.json()
  } catch {
    return {} // Not JSON: not from our server.
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

/** A text, a list of texts, or either of them by field. What belongs to no field has an empty name. */
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
