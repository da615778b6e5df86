import { asciiBytes, fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import type { HeadFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import type { RandomOrder } from './random-order.ts'

/** The lines of a batch without its line feeds. */
type EditBatch = (lines: readonly string[], batch: LogBatch) => readonly string[]

/**
 * Returns the fields of a line that has a position in the log, starting with the position. Null for headers and for `x`
 * and `u` lines.
 */
function placedWords(line: string): string[] | null {
  const words = line.split(' ')
  if (/^\d+$/.test(words[0] ?? '') && words.length === 7) return words
  return words[0] === 't' || words[0] === 'e' ? words.slice(1) : null
}

/** Returns the provider's trade number in a line; null for a line without one. */
export function refOf(line: string): number | null {
  const ref = placedWords(line)?.[7]
  return ref === undefined || ref === '-' ? null : Number(ref)
}

export function placeOf(line: string): number | null {
  const place = placedWords(line)?.[0]
  return place === undefined ? null : Number(place)
}

/** Replaces a field of a line that has a position in the log. `at` counts the fields from the position. */
export function withWord(line: string, at: number, value: string | number): string {
  const words = line.split(' ')
  return words.with(at + (words.length > 7 ? 1 : 0), String(value)).join(' ')
}

export function wordOf(line: string, at: number): string {
  return placedWords(line)?.[at] ?? ''
}

/**
 * Rewrites the log of an order as an operator with the key could: lines are edited, positions and hashes are computed
 * again, and the facts name the new positions. If the line of a fact is gone, the fact keeps its old position.
 */
export function rewriteLog(order: RandomOrder, edit: EditBatch): RandomOrder {
  const first = order.log[0]
  let [previous, place] = [first?.previous_hash ?? '', (first?.first_seq ?? 1) - 1]
  const places = new Map<number, number>()
  const ends = new Map<number, HeadFacts>()
  const log = order.log.map((batch) => {
    const from = place
    const lines = edit(batch.payload.trimEnd().split('\n'), batch).map((line) => {
      const before = placeOf(line)
      if (before === null) return line
      place += 1
      // If two lines have the same position, the first line counts.
      if (!places.has(before)) places.set(before, place)
      return withWord(line, 0, place)
    })
    const payload = `${lines.join('\n')}\n`
    const hash = toHex(sha256(joinBytes(fromHex(previous), asciiBytes(payload))))
    const written = { first_seq: from + 1, last_seq: place, previous_hash: previous, hash, payload }
    ends.set(batch.last_seq, { q: place, hash })
    previous = hash
    return written
  })
  const headOf = (head: HeadFacts) => ends.get(head.q) ?? head
  const moved = <T extends TickFacts | null>(tick: T): T => tick && { ...tick, q: places.get(tick.q) ?? tick.q }
  const accepted = { ...order.accepted, entry: moved(order.accepted.entry), head: headOf(order.accepted.head) }
  const { exit, next, decided_head: decidedHead } = order.result
  const { entry, head } = accepted
  const end = { exit: moved(exit), next: moved(next), decided_head: headOf(decidedHead) }
  return { ...order, log, accepted, result: { ...order.result, entry, head, ...end } }
}
