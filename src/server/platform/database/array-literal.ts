/**
 * JSON with this character contains an escaped text, and JSON and PostgreSQL escape differently. Without it, both write
 * the elements the same way.
 */
const ESCAPED = '\\'

/**
 * Formats an array as a PostgreSQL literal, e.g. `{1,NULL,"a b"}`. The driver would quote and search each element,
 * which takes a third of the time to send a batch of orders. JSON.stringify writes the array in one call.
 */
export function arrayLiteral(values: readonly unknown[]): string {
  const elements = values.map(element)
  const json = JSON.stringify(elements)
  return json.includes(ESCAPED) ? `{${elements.map(quoted).join(',')}}` : `{${json.slice(1, -1)}}`
}

/** As in JSON: `null`, a number, a text or a boolean. */
function element(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  throw new TypeError('arrays of this type are not supported')
}

function quoted(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : String(value)
}
