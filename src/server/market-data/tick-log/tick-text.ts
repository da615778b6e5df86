import { createHash } from 'node:crypto'
import { hasHeader } from '#core/markets/log-text.ts'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'

/**
 * Text 1 of a batch of ticks, which its hash covers: one line per tick, each ended by a line feed,
 *
 *     seq symbolId price volume timeMs receivedMs source
 *
 * separated by one space, all numbers plain decimal integers: the price in units of the symbol's tick size, the volume
 * in millionths, both times in milliseconds UTC. A source has no white space. Changing this breaks every stored hash.
 */
export function ticksToText(ticks: readonly Tick[]): string {
  let text = ''
  for (const tick of ticks) text += `${fieldsOf(tick)}\n`
  return text
}

/** Formats a tick as a line of the format text 2. */
export function tickLine(tick: Tick): string {
  return `t ${fieldsOf(tick)} ${tick.ref ?? '-'}`
}

/** Formats a line of a late batch. */
export function evidenceLine(tick: Omit<Tick, 'ref'> & { readonly ref: number | null }): string {
  return `e ${fieldsOf(tick)} ${tick.ref ?? '-'}`
}

function fieldsOf({
  seq,
  symbolId,
  price: units,
  volume: millionths,
  time,
  receivedAt,
  source,
}: Omit<Tick, 'ref'>): string {
  return `${seq} ${symbolId} ${units} ${millionths} ${time} ${receivedAt} ${source}`
}

const LINE = /^(?:t )?(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\S+)(?: (-|\d+))?$/

/** Parses the ticks of a batch of either text, optionally of one symbol. Throws on a malformed line. Late evidence is not a tick. */
export function textToTicks(text: string, symbolId?: number): Tick[] {
  const ticks: Tick[] = []
  const isOfText2 = hasHeader(text)
  const mark = symbolId === undefined ? null : ` ${symbolId} `
  for (const line of text.split('\n')) {
    if (line === '' || (isOfText2 && !line.startsWith('t'))) continue
    if (mark !== null && !line.startsWith(mark, line.indexOf(' ', isOfText2 ? 't '.length : 0))) continue
    ticks.push(readLine(line))
  }
  return ticks
}

function readLine(line: string): Tick {
  const [, seq, symbolId, units, millionths, time, receivedAt, source, ref] = LINE.exec(line) ?? []
  if (source === undefined) throw new Error(`not a line of the tick log: ${line.slice(0, 100)}`)
  const tick = {
    seq: Number(seq),
    symbolId: Number(symbolId),
    price: price(Number(units)),
    volume: volume(Number(millionths)),
    time: instant(Number(time)),
    receivedAt: instant(Number(receivedAt)),
    source,
  }
  return ref === undefined || ref === '-' ? tick : { ...tick, ref: Number(ref) }
}

/** 32 zero bytes, which the first batch has instead of the hash of a previous batch. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(32)

/** SHA-256 over the previous batch's hash and the payload in UTF-8. */
export function batchHash(previousHash: Uint8Array, payload: string): Uint8Array {
  return createHash('sha256').update(previousHash).update(payload, 'utf8').digest()
}

export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
