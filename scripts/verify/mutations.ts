/** A value with one changed part. */
export interface Mutation {
  /** The path from the outside in: keys and indexes, also through structured texts. */
  readonly path: readonly (string | number)[]
  /** The path with indexes replaced by `*`: `result.facts.entry.price`, `evidence.exit_log.*.payload.*`. */
  readonly where: string
  /** The kind of change: `+1`, `cut`, `removed`, … */
  readonly what: string
  readonly value: unknown
}

/**
 * Generates all changes of a single part of a value. Each number, text and null is changed; each item or field is
 * removed, doubled, moved or added. No field is named, so new fields are covered automatically. Structured texts (JSON,
 * lines of a log, parts of a signature) are changed inside and as texts.
 */
export function* mutations(value: unknown, path: Mutation['path'] = []): Generator<Mutation> {
  const where = path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')
  for (const [what, changed] of changesOf(value)) yield { path, where, what, value: changed }
  const { inside, build } = open(value)
  for (const [key, item] of inside) {
    for (const { value: changed, ...rest } of mutations(item, [...path, key]))
      yield { ...rest, value: build(key, changed) }
  }
}

type Change = readonly [what: string, value: unknown]

function changesOf(value: unknown): Change[] {
  if (typeof value === 'number') return numberChanges(value)
  if (typeof value === 'boolean') return [['turned', !value]]
  if (typeof value === 'string') return textChanges(value)
  if (Array.isArray(value)) return listChanges(value)
  if (isRecord(value)) return recordChanges(value)
  return [
    ['one', 1],
    ['text', 'x'],
  ]
}

function numberChanges(value: number): Change[] {
  return [
    ['+1', value + 1],
    ['-1', value - 1],
    ['zero', value === 0 ? 7 : 0],
    ['vast', 9e15],
    ['half', value + 0.5],
    ['null', null],
    ['text', String(value)],
  ]
}

/** Each valid word with the other valid words that can replace it. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  buy: 'sell',
  sell: 'buy',
  win: 'lose',
  lose: 'win',
  draw: 'win',
  accepted: 'result',
  result: 'accepted',
  crypto: 'us_fx',
  us_fx: 'us_stocks',
  us_stocks: 'crypto',
  no_tick_before_expiry: 'no_price_after_expiry',
  no_price_after_expiry: 'no_tick_before_expiry',
}

function textChanges(text: string): Change[] {
  const lines = linesOf(text)
  const other = OTHER_WORDS[text]
  const changes: Change[] = [
    ...(other === undefined ? [] : [['other word', other] as const]),
    ['letter', replaceAt(text, Math.floor(text.length / 2))],
    ['first letter', replaceAt(text, 0)],
    ['longer', `${text}x`],
    ['cut', text === '' ? 'x' : text.slice(0, -1)],
    ['empty', text === '' ? 'x' : ''],
    ['null', null],
    ['number', 1],
  ]
  if (lines !== null) {
    for (const [what, list] of listChanges(lines)) {
      if (Array.isArray(list)) changes.push([`line ${what}`, withLines(list)])
    }
  }
  return changes
}

function listChanges(list: readonly unknown[]): Change[] {
  const changes: Change[] = [
    ['added', [...list, list.at(-1) ?? {}]],
    ['null', null],
  ]
  for (const at of list.keys()) {
    changes.push([at === 0 ? 'first removed' : 'removed', list.toSpliced(at, 1)])
    changes.push(['doubled', list.toSpliced(at, 0, list[at])])
    if (at > 0) changes.push(['moved', list.toSpliced(at, 1).toSpliced(at - 1, 0, list[at])])
  }
  return changes
}

function recordChanges(record: Readonly<Record<string, unknown>>): Change[] {
  const changes: Change[] = [
    ['added', { ...record, more: 1 }],
    ['null', null],
  ]
  for (const key of Object.keys(record)) {
    const { [key]: value, ...rest } = record
    changes.push([`${key} removed`, rest], [`${key} renamed`, { ...rest, [`${key}_`]: value }])
  }
  return changes
}

interface Opened {
  readonly inside: readonly (readonly [key: string | number, item: unknown])[]
  readonly build: (key: string | number, item: unknown) => unknown
}

/** Returns the parts of a value, and how to rebuild the value with one changed part. */
function open(value: unknown): Opened {
  if (Array.isArray(value)) return openList(value, (items) => items)
  if (isRecord(value)) return { inside: Object.entries(value), build: (key, item) => ({ ...value, [key]: item }) }
  if (typeof value !== 'string') return openList([], () => value)
  const parsed = parse(value)
  if (parsed !== null) {
    const { inside, build } = open(parsed)
    return { inside, build: (key, item) => JSON.stringify(build(key, item)) }
  }
  const lines = linesOf(value)
  if (lines !== null) return openList(lines, withLines)
  const words = value.split(' ')
  if (words.length > 1) return openList(words.map(numberOrText), (items) => items.join(' '))
  return openSigned(value) ?? openList([], () => value)
}

function openList(list: readonly unknown[], whole: (items: readonly unknown[]) => unknown): Opened {
  return { inside: [...list.entries()], build: (key, item) => whole(list.with(Number(key), item)) }
}

/** Takes a compact JWS (a signed text) apart into its header, payload and signature. Null for other texts. */
function openSigned(text: string): Opened | null {
  const parts = text.split('.')
  if (parts.length !== 3) return null
  const [header = '', content = '', signature = ''] = parts
  const inside = { header: decoded(header), content: decoded(content), signature }
  const written = { header, content, signature }
  return {
    inside: Object.entries(inside),
    build(changed, item) {
      const part = changed === 'signature' ? String(item) : Buffer.from(String(item)).toString('base64url')
      return Object.values({ ...written, [changed]: part }).join('.')
    },
  }
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64url').toString()
}

function linesOf(text: string): string[] | null {
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : null
}

function withLines(lines: readonly unknown[]): string {
  return `${lines.join('\n')}\n`
}

function numberOrText(word: string): unknown {
  return /^\d{1,15}$/.test(word) ? Number(word) : word
}

function replaceAt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{')) return null
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
