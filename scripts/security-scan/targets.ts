import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { inputOf } from '#server/platform/http/open-api.ts'
import { exampleValue, type JsonSchema } from './example-value.ts'

/** A call to scan, with an example of each parameter. */
export interface Target {
  readonly method: 'GET' | 'POST'
  /** Path from the root, with `{name}` placeholders. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Fields of the JSON body. Null when there is no body. */
  readonly body: Readonly<Record<string, unknown>> | null
  /** Names of free texts. All other values must be a number, a date, an id or one of a few words. */
  readonly free: ReadonlySet<string>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Existing values, by field name, or by path and name. */
export type Known = Readonly<Record<string, string | number>>

/**
 * Describes the calls of the back office as OpenAPI paths. The description is not published, as no outside client needs
 * it.
 */
export function staffPaths(): Paths {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of Object.values<StaffCall>(staffCalls)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: inputOf(call) }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a document like the published one, as it would be
  // read
  return JSON.parse(JSON.stringify(paths)) as Paths
}

/** Lists every call with parameters, with examples. */
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

/** Returns the address with the values of path and query. */
export function addressOf({ path, params, query }: Target, marked = ''): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `${encodeURIComponent(params[name] ?? '')}${marked}`)
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
