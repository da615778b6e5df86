import { createHash } from 'node:crypto'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'

/**
 * The canonical text of a batch of ticks, which its hash covers: one line per tick, each ended by a line feed,
 *
 *     seq symbolId price volume timeMs receivedMs source
 *
 * separated by one space, all numbers plain decimal integers: the price in units of the symbol's tick size, the volume
 * in millionths, both times in milliseconds UTC. A source has no white space. Changing this breaks every stored hash.
 */
export function ticksToText(ticks: readonly Tick[]): string {
  let text = ''
  for (const tick of ticks) {
    text += `${tick.seq} ${tick.symbolId} ${tick.price} ${tick.volume} ${tick.time} ${tick.receivedAt} ${tick.source}\n`
  }
  return text
}

const LINE = /^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\S+)$/

/** Parses the ticks of a batch, optionally of one symbol. Throws on a line that is not in the canonical form. */
export function textToTicks(text: string, symbolId?: number): Tick[] {
  const ticks: Tick[] = []
  const mark = symbolId === undefined ? null : ` ${symbolId} `
  for (const line of text.split('\n')) {
    if (line === '') continue
    if (mark !== null && !line.startsWith(mark, line.indexOf(' '))) continue
    ticks.push(readLine(line))
  }
  return ticks
}

function readLine(line: string): Tick {
  const [, seq, symbolId, units, millionths, time, receivedAt, source] = LINE.exec(line) ?? []
  if (source === undefined) throw new Error(`not a line of the tick log: ${line.slice(0, 100)}`)
  return {
    seq: Number(seq),
    symbolId: Number(symbolId),
    price: price(Number(units)),
    volume: volume(Number(millionths)),
    time: instant(Number(time)),
    receivedAt: instant(Number(receivedAt)),
    source,
  }
}

/** Takes the place of the previous batch's hash in the first batch. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(32)

/** SHA-256 over the previous batch's hash and the payload in UTF-8. */
export function batchHash(previousHash: Uint8Array, payload: string): Uint8Array {
  return createHash('sha256').update(previousHash).update(payload, 'utf8').digest()
}

export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
