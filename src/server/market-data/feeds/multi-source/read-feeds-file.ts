import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { z } from 'zod'
import type { FeedsPlace } from '#server/market-data/feeds/base/feeds-config.ts'
import {
  FEEDS_FILE,
  FEEDS_PROVIDER,
  FEEDS_SYMBOL,
  type FeedsFile,
  type FeedsFileProvider,
  type FeedsFileSymbol,
} from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/** The readable part of a file, and everything that is wrong with it. */
export interface ReadFeeds {
  /** The file's name in logs and lists. */
  readonly name: string
  readonly providers: ReadonlyMap<string, FeedsFileProvider>
  /** Each symbol with its position in the file, for error messages. */
  readonly symbols: readonly { readonly at: number; readonly symbol: FeedsFileSymbol }[]
  readonly limits: FeedsFile['limits']
  readonly problems: readonly string[]
}

const SHIPPED = projectFile('data/feeds/exchanges.json')

/**
 * Parses and validates the file of price sources. Throws only when nothing can be read. All other faults are listed, so that one run shows
 * everything to fix.
 */
export function readFeedsFile(place: FeedsPlace): ReadFeeds {
  const { name, text } = textOf(place)
  const json = parseJson(text, name)
  const whole = FEEDS_FILE.safeParse(json)
  if (whole.success) {
    const { providers, symbols, limits } = whole.data
    return { ...parts(name, Object.entries(providers), [...symbols.entries()]), limits, problems: [] }
  }
  const problems = whole.error.issues.flatMap((issue) => describe(issue, json))
  const providers = entriesIn(json, 'providers').flatMap(([key, value]) => {
    const read = FEEDS_PROVIDER.safeParse(value)
    return read.success ? [[key, read.data] as const] : []
  })
  const symbols = entriesIn(json, 'symbols').flatMap(([at, value]) => {
    const read = FEEDS_SYMBOL.safeParse(value)
    return read.success ? [[Number(at), read.data] as const] : []
  })
  return { ...parts(name, providers, symbols), limits: undefined, problems }
}

function parts(
  name: string,
  providers: readonly (readonly [string, FeedsFileProvider])[],
  symbols: readonly (readonly [number, FeedsFileSymbol])[],
) {
  return { name, providers: new Map(providers), symbols: symbols.map(([at, symbol]) => ({ at, symbol })) }
}

function textOf(place: FeedsPlace): { name: string; text: string } {
  switch (place.kind) {
    case 'text':
      return { name: 'own', text: place.text }
    case 'shipped':
      return { name: 'exchanges', text: readFileSync(SHIPPED, 'utf8') }
    case 'path':
      return { name: basename(place.path).replace(/\.json$/i, ''), text: readOwn(place.path) }
  }
}

function readOwn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartUpError(
      `FAIRWICK_FEEDS must be synthetic, replay, exchanges, a JSON text or a file; ${path} cannot be read.`,
      { cause: error },
    )
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The position is reported, but not the text around it, which may contain a key.
    const at = error instanceof Error ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined
    throw new StartUpError(`The file of price sources (${name}) is not JSON${at ? `: ${at}` : ''}.`)
  }
}

/** The entries of a section of the file, whatever its type. */
function entriesIn(json: unknown, part: 'providers' | 'symbols'): [string, unknown][] {
  if (typeof json !== 'object' || json === null || !(part in json)) return []
  const value: unknown = Object.entries(json).find(([key]) => key === part)?.[1]
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function describe(issue: z.core.$ZodIssue, json: unknown): string[] {
  const place = placeIn(issue.path, json)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${place === '' ? key : `${place}.${key}`} is not a name that this file has`)
  return [`${place === '' ? 'the file' : place}: ${issue.message}`]
}

/** `symbols[3] (BTC).sources[0].channel`: includes the code, so that readers need not count entries. */
function placeIn(path: readonly PropertyKey[], json: unknown): string {
  const [first, second, ...rest] = path
  if (first === undefined) return ''
  const tail = rest.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  if (first !== 'symbols' || typeof second !== 'number')
    return `${String(first)}${second === undefined ? '' : `.${String(second)}`}${tail}`
  const [, symbol] = entriesIn(json, 'symbols')[second] ?? []
  return `${symbolPlace(second, codeIn(symbol))}${tail}`
}

export function symbolPlace(at: number, code: string | null): string {
  return `symbols[${at}]${code === null ? '' : ` (${code})`}`
}

function codeIn(symbol: unknown): string | null {
  if (typeof symbol !== 'object' || symbol === null || !('code' in symbol)) return null
  return typeof symbol.code === 'string' && /^[A-Za-z0-9]{1,20}$/.test(symbol.code) ? symbol.code : null
}
