/** How JSON and PostgreSQL write a text that means itself is the same; what they escape, and how, is not. */
const ESCAPED = '\\'

/**
 * An array as PostgreSQL reads one, e.g. `{1,NULL,"a b"}`. The driver would quote and search each element, which took a
 * third of the time that a batch of orders took to send; as JSON it is written by the engine all at once.
 */
export function arrayLiteral(values: readonly unknown[]): string {
  const elements = values.map(element)
  const json = JSON.stringify(elements)
  return json.includes(ESCAPED) ? `{${elements.map(quoted).join(',')}}` : `{${json.slice(1, -1)}}`
}

/** As JSON has it: `null`, a number, a text or a boolean. */
function element(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  throw new TypeError('arrays of such values are never sent')
}

function quoted(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : String(value)
}
