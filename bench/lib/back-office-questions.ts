import { z } from 'zod'
import type { StaffCall, StaffListCall } from '#contract/back-office/staff-call.ts'

/** A path to request, and its description. */
export interface PageRequest {
  readonly what: string
  readonly path: string
}

type Get = (path: string) => Promise<unknown>
type Row = Readonly<Record<string, unknown>>

const Page = z.object({ rows: z.array(z.record(z.string(), z.unknown())), next: z.string().nullable() })
const PAGING = new Set(['after', 'limit'])
/**
 * The request for a deep page skips 20 pages. With keyset paging this page is as fast as the first one; with offsets it
 * would be slower.
 */
const PAGES_DEEP = 20
/** For a filter without a fixed list of values, at most four values are requested. */
const MAX_VALUES = 4

/**
 * Lists every request that the back office can make. Each list is requested from the start, from a deep page, and with
 * each value of each filter. Each detail is requested for the first row of its list. Each figure is requested once.
 * Values for free filters come from the list's own rows.
 */
export async function questions(calls: readonly (StaffCall | StaffListCall)[], get: Get): Promise<PageRequest[]> {
  const requests: PageRequest[] = []
  const known = new Map<string, Row>()
  const [lists, others] = [calls.filter(isList), calls.filter((call) => !isList(call))]
  for (const call of lists.filter(({ path }) => !path.includes(':'))) {
    const path = `${call.path}${neededQuery(call)}`
    const { rows } = Page.parse(await get(path))
    if (rows[0]) known.set(call.path, rows[0])
    requests.push({ what: path, path }, ...(await deepPage(path, get)), ...filtersOf(call, path, rows))
  }
  for (const call of [...lists.filter(({ path }) => path.includes(':')), ...others]) {
    const paths = pathsOf(call, known)
    if (paths.length === 0) console.log(`         not measured: ${call.path} (no row to open)`)
    for (const path of paths.map((filled) => `${filled}${neededQuery(call)}`)) {
      requests.push({ what: paths.length === 1 ? call.path : path, path })
      // For days of a time zone other than UTC, the server reads the stored totals in another way than for UTC days.
      if ('zone' in shapeOf(call)) {
        const inZone = `${path}&zone=Europe/Berlin`
        requests.push({ what: inZone, path: inZone })
      }
    }
  }
  return requests
}

function isList(call: StaffCall | StaffListCall): call is StaffListCall {
  return 'row' in call
}

async function deepPage(path: string, get: Get): Promise<PageRequest[]> {
  let address = path
  for (let page = 0; page < PAGES_DEEP; page += 1) {
    const { next } = Page.parse(await get(address))
    if (next === null) return []
    address = `${path}${path.includes('?') ? '&' : '?'}limit=100&after=${encodeURIComponent(next)}`
  }
  return [{ what: `${path}, ${PAGES_DEEP} pages on`, path: address }]
}

function filtersOf(call: StaffListCall, path: string, rows: readonly Row[]): PageRequest[] {
  return Object.entries(shapeOf(call))
    .filter(([name]) => !PAGING.has(name))
    .flatMap(([name, schema]) => {
      const values = valuesOf(name, schema as z.ZodType, rows)
      if (values.length === 0) console.log(`         not measured: ${call.path}?${name} (no value to try)`)
      // The filled path already contains a value of each required choice (a query field that is an enum). Such a field
      // must not occur twice, so its requests begin with the bare path.
      const start =
        schema instanceof z.ZodEnum ? `${call.path}?${name}=` : `${path}${path.includes('?') ? '&' : '?'}${name}=`
      return values.map((value) => ({ what: `${start}${value}`, path: `${start}${encodeURIComponent(value)}` }))
    })
}

function shapeOf(call: StaffCall): Readonly<Record<string, unknown>> {
  return call.query instanceof z.ZodObject ? call.query.shape : {}
}

/** Returns the first value of every required choice, and the last 90 days for a required period. */
function neededQuery(call: StaffCall): string {
  const needed = Object.entries(shapeOf(call)).flatMap(([name, schema]) => {
    const [first] = schema instanceof z.ZodEnum ? (choicesOf(schema) ?? []) : []
    if (first !== undefined) return [`${name}=${first}`]
    const daysAgo = { from: 89, to: 0 }[name]
    if (daysAgo === undefined || (schema as z.ZodType).safeParse(undefined).success) return []
    return [`${name}=${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}`]
  })
  return needed.length === 0 ? '' : `?${needed.join('&')}`
}

/**
 * Returns values for a filter: all values of an enum, the time 30 days ago for a time, otherwise up to four values of
 * existing rows. A search also gets a text that no row contains.
 */
function valuesOf(name: string, schema: z.ZodType, rows: readonly Row[]): string[] {
  const choices = choicesOf(schema)
  if (choices !== null) return choices
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  if (/^(from|since|after_time)$/.test(name)) return [day(30)]
  if (/^(to|until)$/.test(name)) return [day(30)]
  if (name === 'area') return ['deposits']
  // Some lists filter by username, others by id.
  if (name === 'user' && schema.safeParse('demo').success) return ['demo', 'large_0000001']
  if (name === 'search') {
    const [row] = rows
    const own = ['trx', 'username', 'name', 'code'].flatMap((field) =>
      typeof row?.[field] === 'string' ? [row[field]] : [],
    )
    return [...own, 'nobody-has-this']
  }
  const values = rows
    .map((row) => row[name] ?? row[`${name}_id`] ?? row[name.replace(/_id$/, '')])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
  return [...new Set(values.map(String))].slice(0, MAX_VALUES)
}

/** Returns the values of an enum, through any wrappers. Null for other schemas. */
function choicesOf(schema: unknown): string[] | null {
  if (schema instanceof z.ZodEnum) return Object.values(schema.enum).map(String)
  if (schema instanceof z.ZodBoolean) return ['true', 'false']
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return choicesOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return choicesOf(schema.out) ?? choicesOf(schema.in)
  return null
}

/**
 * Returns the paths of a call. If the only parameter of the path is an enum, there is one path for each of its values.
 * Otherwise there is one path with the values of an existing row, or none without such a row.
 */
function pathsOf(call: StaffCall, known: ReadonlyMap<string, Row>): string[] {
  const params = call.params instanceof z.ZodObject ? Object.entries(call.params.shape) : []
  const [choice, ...more] = params
  const values = choice === undefined || more.length > 0 ? null : choicesOf(choice[1])
  if (choice !== undefined && values !== null) return values.map((value) => call.path.replace(`:${choice[0]}`, value))
  const path = fillIn(call.path, known)
  return path === null ? [] : [path]
}

/** Fills a path such as `/admin/users/:id/orders` with values of the first row of the parent list. */
function fillIn(path: string, known: ReadonlyMap<string, Row>): string | null {
  const at = path.indexOf('/:')
  if (at < 0) return path
  const row = known.get(path.slice(0, at))
  const filled = path.replace(/:(\w+)/g, (place, name: string) => {
    const value = row?.[name]
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(String(value)) : place
  })
  return filled.includes('/:') ? null : filled
}
