/** What could be read of the body of a refusal. */
export interface FailureBody {
  message?: string
  code?: string
  errors?: Record<string, string[]>
}

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
  if ('message' in value && typeof value.message === 'string') body.message = value.message
  if ('code' in value && typeof value.code === 'string') body.code = value.code
  if ('errors' in value) body.errors = readErrors(value.errors)
  return body
}

function readErrors(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {}
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([name, list]) => [name, list.filter((text) => typeof text === 'string')]))
}
