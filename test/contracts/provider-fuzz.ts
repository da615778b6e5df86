import fc from 'fast-check'
import type { Quote } from '#server/market-data/feeds/providers/provider.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  '',
  'abc',
  'NaN',
  'Infinity',
  '0',
  '-1',
  '0x10',
  '1e5',
  '1e309',
  ' 1',
  '1,5',
  '.5',
  '5.',
  '١٢٣',
  0,
  -1,
  1e21,
  1e-9,
  0.1,
  Number.MAX_SAFE_INTEGER,
  '9007199254740993',
  [],
  {},
  [[]],
  '__proto__',
  'constructor',
]

interface Mutation {
  readonly at: number
  readonly how: 'remove' | 'odd' | 'any' | 'digit' | 'retype' | 'double' | 'nest'
  readonly odd: Json
  readonly any: Json
  readonly digit: number
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('remove', 'odd', 'any', 'digit', 'retype', 'double', 'nest'),
  odd: fc.constantFrom(...ODD_VALUES),
  any: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  digit: fc.nat({ max: 9 }),
})

/** Generates any text, JSON or not. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('', 'null', '[]', '{}', '"', '{"', '[null]', '{"data":null}', '{"e":"trade"}', '0', '\u0000'),
)

/** Generates recorded messages with removed, duplicated or changed fields, and truncated or altered texts. */
export function mutated(messages: readonly string[]): fc.Arbitrary<string> {
  const message = fc.constantFrom(...messages)
  const inside = fc
    .tuple(message, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([text, mutations]) => JSON.stringify(mutations.reduce(mutate, JSON.parse(text) as Json)))
  const cut = fc.tuple(message, fc.nat()).map(([text, at]) => text.slice(0, at % text.length))
  const letter = fc
    .tuple(message, fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(([text, at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1))
  return fc.oneof({ weight: 6, arbitrary: inside }, { weight: 1, arbitrary: cut }, { weight: 2, arbitrary: letter })
}

function mutate(root: Json, { at, how, odd, any, digit }: Mutation): Json {
  const places = placesIn(root)
  const place = places[at % places.length]
  if (place === undefined) return odd
  const { parent, name, value } = place
  if (how === 'remove' && Array.isArray(parent)) parent.splice(Number(name), 1)
  else if (how === 'remove') Reflect.deleteProperty(parent, name)
  else if (how === 'double' && Array.isArray(parent)) parent.push(structuredClone(value))
  else Reflect.set(parent, name, changed(value, how, { odd, any, digit }))
  return root
}

function changed(
  value: Json,
  how: Mutation['how'],
  { odd, any, digit }: Pick<Mutation, 'odd' | 'any' | 'digit'>,
): Json {
  // A copy, because a value that contains itself could not be written as JSON.
  if (how === 'odd') return structuredClone(odd)
  if (how === 'digit')
    return typeof value === 'number' ? value * 10 + digit : `${digit}${typeof value === 'string' ? value : ''}`
  if (how === 'retype') return typeof value === 'number' ? String(value) : Number(value)
  if (how === 'nest') return [value]
  return structuredClone(any)
}

interface Place {
  readonly parent: Json[] | { [name: string]: Json }
  readonly name: string
  readonly value: Json
}

function placesIn(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [{ parent: value, name, value: inner }, ...placesIn(inner)])
}

/**
 * Returns whether a message contains this quote: the price, with its time and symbol in the same or an enclosing
 * object. The function parses independently, with plain JavaScript only.
 */
export function hasQuote(text: string, quote: Quote): boolean {
  return says(JSON.parse(text) as Json, quote, [])
}

function says(value: Json, quote: Quote, around: readonly Json[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = Object.values(value)
  const near = [...inner, ...around]
  const isHere =
    inner.some((leaf) => isPrice(leaf, quote.price)) &&
    near.some((leaf) => isTime(leaf, quote.time)) &&
    near.some((leaf) => typeof leaf === 'string' && leaf.toUpperCase().includes(quote.symbol.toUpperCase()))
  return isHere || inner.some((next) => says(next, quote, near))
}

function isPrice(leaf: Json, price: string): boolean {
  if (typeof leaf === 'number') return leaf === Number(price)
  return typeof leaf === 'string' && /^\d+(?:\.\d+)?$/.test(leaf) && trimmed(leaf) === trimmed(price)
}

function trimmed(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`
}

function isTime(leaf: Json, time: number): boolean {
  const isDigits = typeof leaf === 'number' || (typeof leaf === 'string' && /^\d+$/.test(leaf))
  // In seconds, milliseconds, microseconds or nanoseconds.
  if (isDigits) return [1_000, 1, 1e-3, 1e-6].some((unit) => Math.floor(Number(leaf) * unit) === time)
  return typeof leaf === 'string' && Date.parse(leaf) === time
}
