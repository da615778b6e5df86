import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Instant } from '#core/time/instant.ts'
import type { ProviderSink, ProviderTrouble, Quote } from '#server/market-data/feeds/providers/provider.ts'

/** An output of the reader, with the index of the message that caused it. */
type Output =
  | { readonly kind: 'quote'; readonly at: number; readonly quote: Quote }
  | { readonly kind: 'alive'; readonly at: number; readonly symbol: string; readonly time: Instant }
  | { readonly kind: 'lost'; readonly at: number; readonly symbol: string | null }

/** Messages of one provider, with a reader that behaves like the provider's adapter. */
export interface DamagedStream {
  readonly name: string
  /** Recorded messages with trades, and correct heartbeats between them. */
  readonly messages: readonly string[]
  /** Returns the quotes of an undamaged message in order, parsed in the simplest way. */
  readonly statements: (message: Json) => readonly Quote[]
  /** Creates a reader. The reader takes one message after the other, with its index in the stream. */
  readonly begin: (sink: ProviderSink) => (text: string, at: number) => void
  /** Adds the parts that a message gets in transit, before the message is damaged. */
  readonly dress?: (text: string, nth: number) => string
  /** Whether the reader detects missing or swapped messages. */
  readonly seesOrder: boolean
  /** Whether the reader distinguishes a repeated trade from two equal trades. */
  readonly tellsRepeats: boolean
  /** Whether skipped data cannot be detected, because a third-party library parses it. */
  readonly mayMiss?: boolean
}

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Placeholder for a number with an exponent, which JSON.stringify would not write. */
const EXPONENT = 'number with an exponent'

/**
 * No other message contains these values, so a wrong price made from them is detectable. A changed digit would not be.
 */
const ODD_VALUES: readonly Json[] = [
  null,
  true,
  '',
  'abc',
  '1e5',
  ' 1',
  '1 ',
  '-1',
  '+1',
  '0x10',
  '1,5',
  -1,
  [],
  {},
  { '': { '': '1000' } },
  '__proto__',
  EXPONENT,
]

interface Damage {
  readonly at: number
  readonly how: 'remove' | 'odd' | 'nest' | 'name twice' | 'cut' | 'garbage' | 'twice' | 'swap' | 'drop'
  readonly place: number
  readonly odd: Json
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  how: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('remove', 'odd', 'odd', 'nest', 'name twice') },
    { weight: 1, arbitrary: fc.constantFrom('cut', 'garbage', 'twice', 'swap', 'drop') },
  ),
  place: fc.nat(),
  odd: fc.constantFrom(...ODD_VALUES),
})

/** A sent message with its index, and the quotes that its damage may hide. */
interface Sent {
  /** The text as sent; empty when the damage removes the message. */
  readonly text: string
  readonly at: number
  readonly spoiled: readonly Quote[]
  readonly isMoved: boolean
  /**
   * Whether the text gets no further damage, because it is no longer valid JSON or JSON.parse could not reproduce it.
   */
  readonly isFinal?: boolean
}

/**
 * Damages arbitrary parts of recorded messages and checks the reader's output. The reader must never throw, and every
 * price must be one of the undamaged messages. Undamaged parts must be used. After a price that the damage hides, the
 * reader must report the loss before the next heartbeat or later price.
 */
export function describeDamage(stream: DamagedStream, runs = 250): void {
  const sound = play(
    stream,
    stream.messages.map((text, at) => ({ text: dressed(stream, text, at), at, spoiled: [], isMoved: false })),
  )
  const expected = sound.flatMap((output) => (output.kind === 'quote' ? [{ ...output.quote, at: output.at }] : []))
  const allowed = new Set(stream.messages.flatMap((text) => stream.statements(JSON.parse(text) as Json).map(keyOf)))

  test(`${stream.name}: undamaged messages produce all of their prices and nothing else`, () => {
    expect(expected.length).toBeGreaterThan(3)
    expect(sound.filter(({ kind }) => kind === 'lost')).toEqual([])
    expect(flaws(stream, { expected, allowed, sent: [], outputs: sound })).toEqual([])
  })

  test(`P1: ${stream.name}: ${runs} damaged streams produce no wrong price, and no heartbeat past a hidden trade`, () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 5 }), (damages) => {
        const sent = damages.reduce(
          (all, one) => damaged(stream, all, one),
          stream.messages.map(
            (text, at): Sent => ({ text: dressed(stream, text, at), at, spoiled: [], isMoved: false }),
          ),
        )
        expect(flaws(stream, { expected, allowed, sent, outputs: play(stream, sent) })).toEqual([])
      }),
      { numRuns: runs },
    )
  })
}

function dressed({ dress }: DamagedStream, text: string, nth: number): string {
  return dress?.(text, nth) ?? text
}

function play({ begin }: DamagedStream, sent: readonly Sent[]): Output[] {
  const outputs: Output[] = []
  let at = 0
  const say = begin({
    quote: (quote) => void outputs.push({ kind: 'quote', at, quote }),
    alive: (symbol, time) => void outputs.push({ kind: 'alive', at, symbol, time }),
    trouble(trouble: ProviderTrouble) {
      if (trouble.kind === 'lost') outputs.push({ kind: 'lost', at, symbol: trouble.symbol })
    },
    connected: () => undefined,
    unused: () => undefined,
  })
  for (const one of sent) {
    at = one.at
    if (one.text !== '') say(one.text, one.at)
  }
  return outputs
}

interface Run {
  /** The quotes of the undamaged messages, in order. */
  readonly expected: readonly (Quote & { readonly at: number })[]
  readonly allowed: ReadonlySet<string>
  readonly sent: readonly Sent[]
  readonly outputs: readonly Output[]
}

function flaws(stream: DamagedStream, { expected, allowed, sent, outputs }: Run): string[] {
  const found: string[] = []
  const count = new Map<string, number>()
  for (const one of outputs) {
    if (one.kind !== 'quote') continue
    const key = keyOf(one.quote)
    if (!allowed.has(key)) found.push(`a wrong price: ${key}`)
    count.set(key, (count.get(key) ?? 0) + 1)
  }
  const spoiled = new Set(sent.flatMap((one) => one.spoiled.map(keyOf)))
  const isMoved = sent.some((one) => one.isMoved)
  // The indexes of the expected prices that the damage removed. Of equal prices, the first one counts as removed.
  const left = new Map(count)
  const hiddenQuotes = expected
    .toReversed()
    .filter((quote) => {
      const times = left.get(keyOf(quote)) ?? 0
      left.set(keyOf(quote), times - 1)
      return times <= 0
    })
    .toReversed()
  for (const quote of hiddenQuotes)
    if (!spoiled.has(keyOf(quote)) && !isMoved) found.push(`not used: ${keyOf(quote)} of message ${quote.at}`)
  for (const quote of hiddenQuotes) found.push(...passed(stream, quote, expected, outputs))
  if (stream.tellsRepeats)
    for (const [key, times] of count) {
      const maxTimes = Math.max(1, expected.filter((quote) => keyOf(quote) === key).length)
      if (times > maxTimes) found.push(`told ${times} times: ${key}`)
    }
  return found
}

/** Returns the first heartbeat or later price that follows a hidden price without a report of the loss, or nothing. */
function passed(
  { mayMiss = false }: DamagedStream,
  gone: Quote & { readonly at: number },
  expected: readonly Quote[],
  outputs: readonly Output[],
): string[] {
  const place = expected.indexOf(gone)
  const ofSymbol = (quotes: readonly Quote[]) => quotes.filter(({ symbol }) => symbol === gone.symbol)
  const before = new Set(ofSymbol(expected.slice(0, place)).map(keyOf))
  const after = ofSymbol(expected.slice(place + 1))
  // Within one millisecond only the last price decides, so the damage may hide an earlier price.
  const closing = new Set(after.filter(({ time }) => time === gone.time).map(keyOf))
  let hasPrice = false
  for (const one of outputs) {
    // The loss was reported, so later output may continue.
    if (one.kind === 'lost' && (one.symbol ?? gone.symbol) === gone.symbol && one.at >= gone.at - 1) return []
    if (one.kind === 'quote' && before.has(keyOf(one.quote))) hasPrice = true
    if (!hasPrice || one.at < gone.at) continue
    if (one.kind === 'quote' && closing.has(keyOf(one.quote))) return []
    if (one.kind === 'alive' && one.symbol === gone.symbol && one.time >= gone.time)
      return [`alive at ${one.time} past ${keyOf(gone)} of message ${gone.at}`]
    if (one.kind === 'quote' && one.quote.symbol === gone.symbol && one.quote.time > gone.time)
      return mayMiss ? [] : [`${keyOf(one.quote)} without a word of ${keyOf(gone)} of message ${gone.at}`]
  }
  return []
}

function keyOf({ symbol, price, volume, time }: Quote): string {
  return `${symbol} ${price} ${volume} ${time}`
}

function damaged(stream: DamagedStream, all: readonly Sent[], { at, how, place, odd }: Damage): Sent[] {
  const nth = at % all.length
  const one = all[nth]
  if (one === undefined || one.text === '') return [...all]
  const put = (...instead: Sent[]) => [...all.slice(0, nth), ...instead, ...all.slice(nth + 1)]
  const statements = () => stream.statements(parsed(stream.messages[one.at] ?? 'null'))
  const spoil = (text: string, spoiled: readonly Quote[], isFinal = false) =>
    put({ ...one, text, spoiled: [...one.spoiled, ...spoiled], isFinal })
  switch (how) {
    case 'twice':
      return put(one, one)
    case 'swap': {
      const next = all[nth + 1]
      if (next === undefined || !stream.seesOrder) return [...all]
      return [...all.slice(0, nth), { ...next, isMoved: true }, { ...one, isMoved: true }, ...all.slice(nth + 2)]
    }
    case 'drop':
      return stream.seesOrder ? spoil('', statements()) : [...all]
    case 'cut':
      return spoil(one.text.slice(0, 1 + (place % (one.text.length - 1))), statements(), true)
    case 'garbage':
      return spoil([' ', '{', 'null', '[]', '{}', '7', `${one.text}}`][place % 7] ?? ' ', statements(), true)
    default:
      break
  }
  if (one.isFinal === true) return [...all]
  const part = damagedPart(one.text, { how, place, odd })
  if (part === null) return [...all]
  // With a duplicated name, it is uncertain which value is right, so the whole message does not count.
  if (how === 'name twice') return spoil(part.text, statements(), true)
  const root = parsed(one.text)
  return spoil(part.text, itemIn(root, part.path) === null ? statements() : stream.statements(around(root, part.path)))
}

/** Changes one part of the text and returns its position. Null when there is no such part. */
function damagedPart(
  before: string,
  { how, place, odd }: Pick<Damage, 'how' | 'place' | 'odd'>,
): { readonly text: string; readonly path: readonly string[] } | null {
  const root = parsed(before)
  const places = placesIn(root, [])
  const found = places[place % Math.max(1, places.length)]
  if (found === undefined) return null
  const { parent, name, value, path } = found
  if (how === 'name twice' && !Array.isArray(parent)) {
    const text = JSON.stringify(root)
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`
    const twice = `${field},${JSON.stringify(name)}:"9"`
    return text.includes(field) ? { text: text.replace(field, () => twice), path } : null
  }
  if (how === 'remove' && !Array.isArray(parent)) Reflect.deleteProperty(parent, name)
  else Reflect.set(parent, name, how === 'nest' ? [value] : odd)
  return { text: JSON.stringify(root).replaceAll(`"${EXPONENT}"`, '1e5'), path }
}

/** Damages a page of a reply like a message. Empty pages are excluded, because an empty page may be correct. */
export function damagedPage(page: string): fc.Arbitrary<string> {
  return damage.map((one) => {
    if (one.how === 'cut') return page.slice(0, 1 + (one.place % (page.length - 1)))
    if (one.how === 'garbage') return ['', '{', 'null', '{}', '7', `${page}}`, '<html>'][one.place % 7] ?? ''
    return damagedPart(page, one)?.text ?? page
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

interface Place {
  readonly parent: Json[] | { [name: string]: Json }
  readonly name: string
  readonly value: Json
  readonly path: readonly string[]
}

function placesIn(value: Json, path: readonly string[]): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    { parent: value, name, value: inner, path: [...path, name] },
    ...placesIn(inner, [...path, name]),
  ])
}

/** The names of JSON lists whose elements are separate trades. */
const LISTS = new Set(['data', 'trades', 'tickers'])

/** Returns how many steps of a path lead to its trade. Null for a path outside all trades. */
function itemIn(root: Json, path: readonly string[]): number | null {
  let value: Json | undefined = root
  for (const [nth, name] of path.entries()) {
    if (Array.isArray(value) && LISTS.has(path[nth - 1] ?? '')) return nth
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  }
  return null
}

/** Returns the message with only the trade that a path leads to. */
function around(root: Json, path: readonly string[]): Json {
  const copy = structuredClone(root)
  const end = itemIn(root, path) ?? 0
  let parent: Json | undefined = copy
  for (const name of path.slice(0, end - 1)) parent = Reflect.get(parent as object, name) as Json
  const name = path[end - 1] ?? ''
  const list = Reflect.get(parent as object, name) as Json[]
  Reflect.set(parent as object, name, [list[Number(path[end])] ?? null])
  return copy
}
