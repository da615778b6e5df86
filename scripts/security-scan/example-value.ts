/** The parts of a JSON schema from which `exampleValue` derives a value. */
export interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0190a0a0-0000-7000-8000-000000000000',
  date: '2025-01-01',
  'date-time': '2025-01-01T00:00:00.000Z',
  email: 'somebody@example.com',
}

/**
 * Returns a value that fits a schema well enough for a scanner. Variations of this value reach as deep into the code as
 * variations of a valid value.
 */
export function exampleValue(schema: JsonSchema): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice !== undefined) return exampleValue(choice)
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  switch (schema.type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 0, (schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'array':
      return [exampleValue(schema.items ?? {})]
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, value]) => [name, exampleValue(value)]),
      )
    default:
      return exampleText(schema)
  }
}

/** Digits match most patterns, and are valid text where there is no pattern. */
function exampleText({ format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema): string {
  const known = BY_FORMAT[format ?? '']
  if (known !== undefined) return known
  const length = Math.min(maxLength, Math.max(minLength, 6))
  const digits = '1234567890'.repeat(Math.ceil(length / 10)).slice(0, length)
  return pattern === undefined || new RegExp(pattern, 'u').test(digits) ? digits : (BY_FORMAT['date'] ?? digits)
}
