import { asyncApiDocument, openApiDocument } from '#server/platform/http/open-api.ts'

/** The parts of a JSON schema that our documents contain. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly $ref?: string
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>>
}

interface Operation {
  readonly summary: string
  readonly 'x-key-scope'?: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<'200', Content>>
}

interface Documents {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly messages: Readonly<Record<string, { readonly payload: Schema }>>
}

/** The file that `npm run client:types` writes. */
export const CLIENT_TYPES_FILE = 'clients/js/src/contract.ts'

const JSON_TYPE = 'application/json'

/** Writes the types of the JavaScript client: every call that a key can make and every message of `/ws/app`. */
export function clientTypes(): string {
  const { paths, messages } = readDocuments()
  const { out, ...said } = messages
  if (out === undefined) throw new Error('the document of the sockets has no messages of the server')
  const calls = callsOf(paths)
  const replies = [out.payload, ...calls.map(({ reply }) => reply)]
  const decimals = new Set(replies.flatMap(decimalNames))
  const none: ReadonlySet<string> = new Set()
  return [
    '// Written by `npm run client:types` from the contract. Do not edit.',
    '',
    '/** Plain decimal text, such as `94000.5`. */',
    'export type Decimal = string',
    '',
    '/** Amounts and prices: a number of this name in a reply or message becomes text. */',
    'export const DECIMAL_NAMES: readonly string[] = [',
    ...[...decimals].toSorted().map((name) => `  '${name}',`),
    ']',
    '',
    '/** The calls that a key can make. */',
    'export interface Calls {',
    ...calls.flatMap(({ name, summary, scope, input, reply }) => [
      `  /** ${summary} Scope: \`${scope}\`. */`,
      `  '${name}': { input: ${typeOf(input, { decimals: none })}; reply: ${typeOf(reply, { decimals })} }`,
    ]),
    '}',
    '',
    '/** The messages of a client on `/ws/app`. */',
    'export interface ClientMessages {',
    ...Object.entries(said).map(([name, { payload }]) => `  ${name}: ${typeOf(payload, { decimals: none })}`),
    '}',
    '',
    '/** A message of the server on `/ws/app`. */',
    'export type ServerMessage =',
    ...(out.payload.anyOf ?? []).map((one) => `  | ${typeOf(one, { decimals })}`),
    '',
  ].join('\n')
}

function readDocuments(): Documents {
  // Converted to JSON and back, so that the documents are exactly as clients receive them.
  const { paths }: Pick<Documents, 'paths'> = JSON.parse(JSON.stringify(openApiDocument()))
  const { channels }: { channels: { app: Pick<Documents, 'messages'> } } = JSON.parse(
    JSON.stringify(asyncApiDocument()),
  )
  return { paths, messages: channels.app.messages }
}

/** The calls with JSON replies that some key can make. */
function callsOf(paths: Documents['paths']) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { summary, 'x-key-scope': scope = 'never' } = operation
      const reply = operation.responses['200'].content[JSON_TYPE]?.schema
      if (scope === 'never' || reply === undefined) return []
      return [{ name: `${method.toUpperCase()} ${path}`, summary, scope, input: inputOf(operation), reply }]
    }),
  )
}

/** The parameters and the body of a call as one schema. */
function inputOf({ parameters, requestBody }: Operation): Schema {
  const partOf = (place: 'path' | 'query') => {
    const some = parameters.filter((one) => one.in === place)
    const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]))
    return { type: 'object', properties, required: some.filter((one) => one.required).map(({ name }) => name) }
  }
  const body = requestBody?.content[JSON_TYPE]?.schema
  const parts = { params: partOf('path'), query: partOf('query'), ...(body !== undefined && { body }) }
  const used = Object.entries<Schema>(parts).filter(([, { properties }]) => Object.keys(properties ?? {}).length > 0)
  const required = used.filter(([, part]) => (part.required ?? []).length > 0).map(([name]) => name)
  return { type: 'object', properties: Object.fromEntries(used), required }
}

/** The names of properties that hold an amount or a price. */
function decimalNames(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {})
  const named = own.filter(([, value]) => branches(value).some(({ format }) => format === 'decimal'))
  const { additionalProperties: others } = schema
  const inside = [
    ...own.map(([, value]) => value),
    ...(alternatives(schema) ?? []),
    ...(schema.prefixItems ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof others === 'object' ? [others] : []),
  ]
  return [...named.map(([name]) => name), ...inside.flatMap(decimalNames)]
}

/** The schemas of which a value must match one. Undefined when the schema itself describes the value. */
function alternatives(schema: Schema): readonly Schema[] | undefined {
  const { type } = schema
  return (
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(type) ? type.map((one: string) => ({ ...schema, type: one })) : undefined)
  )
}

function branches(schema: Schema): readonly Schema[] {
  const some = alternatives(schema)
  return some === undefined ? [schema] : some.flatMap(branches)
}

interface Place {
  readonly decimals: ReadonlySet<string>
  /** The name of the property that contains the value, if a property does. */
  readonly name?: string
}

function typeOf(schema: Schema, place: Place): string {
  if (schema.$ref !== undefined) throw new Error(`cannot follow ${schema.$ref}`)
  const { decimals, name } = place
  const isDecimal = name !== undefined && decimals.has(name)
  if (schema.const !== undefined) return isDecimal ? 'Decimal' : literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const some = alternatives(schema)
  if (some !== undefined) return [...new Set(some.map((one) => typeOf(one, place)))].join(' | ')
  switch (schema.type) {
    case 'number':
    case 'integer':
      return isDecimal ? 'Decimal' : 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayOf(schema, decimals)
    case 'object':
      return objectOf(schema, decimals)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`unknown type of a schema: ${String(schema.type)}`)
  }
}

function arrayOf({ items, prefixItems }: Schema, decimals: ReadonlySet<string>): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => typeOf(one, { decimals })).join(', ')}]`
  const type = items === undefined ? 'unknown' : typeOf(items, { decimals })
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

function objectOf({ properties, required, additionalProperties }: Schema, decimals: ReadonlySet<string>): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${named(name)}${required?.includes(name) ? '' : '?'}: ${typeOf(schema, { decimals, name })}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties, { decimals })}>`
    : 'object'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function named(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}
