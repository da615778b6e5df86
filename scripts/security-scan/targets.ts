import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { inputOf } from '#server/platform/http/open-api.ts'
import { exampleValue, type JsonSchema } from './example-value.ts'

/** Something to scan: one call with an example of everything it takes. */
export interface Target {
  readonly method: 'GET' | 'POST'
  /** From the root, with `{name}` where a value goes. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Of a JSON body; null when there is none. */
  readonly body: Readonly<Record<string, unknown>> | null
  /** Names of what may be any text. All else is refused unless it is a number, a date, an id or one of a few words. */
  readonly free: ReadonlySet<string>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Values that exist, by where they belong: the name of a field, or the address and the name in it. */
export type Known = Readonly<Record<string, string | number>>

/** The calls of the back office as an OpenAPI document would list them; it is not published, as it helps nobody outside. */
export function staffPaths(): Paths {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of Object.values<StaffCall>(staffCalls)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: inputOf(call) }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a document like the published one, as it would be read
  return JSON.parse(JSON.stringify(paths)) as Paths
}

/** Every call that takes anything, with examples of it. */
export function targetsOf(paths: Paths, known: Known): Target[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const target = targetOf(method, path, operation, known)
      return hasInput(target) ? [target] : []
    }),
  )
}

function targetOf(method: string, path: string, { parameters = [], requestBody }: Operation, known: Known): Target {
  const valuesIn = (where: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === where)
        .map(({ name, schema }) => [name, String(known[`${path} ${name}`] ?? known[name] ?? exampleValue(schema))]),
    )
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  return {
    method: method === 'get' ? 'GET' : 'POST',
    path: `/api${path}`,
    params: valuesIn('path'),
    query: valuesIn('query'),
    body: schema === undefined ? null : bodyOf(path, schema, known),
    free: freeTexts([
      ...parameters.map((one) => [one.name, one.schema] as const),
      ...Object.entries(schema?.properties ?? {}),
    ]),
  }
}

function freeTexts(fields: readonly (readonly [name: string, schema: JsonSchema])[]): ReadonlySet<string> {
  return new Set(fields.filter(([, schema]) => isFree(schema)).map(([name]) => name))
}

function isFree(schema: JsonSchema): boolean {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.some(isFree)
  const isNarrow = [schema.enum, schema.const, schema.format, schema.pattern].some((rule) => rule !== undefined)
  return schema.type === 'string' && !isNarrow
}

function bodyOf(path: string, { properties = {} }: JsonSchema, known: Known): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      known[`${path} ${name}`] ?? known[name] ?? exampleValue(schema),
    ]),
  )
}

function hasInput({ params, query, body }: Target): boolean {
  return [params, query, body ?? {}].some((values) => Object.keys(values).length > 0)
}

/** Its address, with the values of its path and query. */
export function addressOf({ path, params, query }: Target, marked = ''): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `${encodeURIComponent(params[name] ?? '')}${marked}`)
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
