import { basename } from 'node:path'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { faultOfLater } from '#core/proof/check-receipt.ts'
import { type LogTick, type PlacedLine, placedLines, readBatchText } from '#core/markets/log-text.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { type ReceiptFacts, isResult, type ResultFacts } from '#core/proof/receipt-facts.ts'
import { CannotCheck, LogDiffers } from './check-verdict.ts'
import { batchesOf, type DayFile, findDayFiles, nameOf, type SymbolNames } from './day-file.ts'

/**
 * A day of the tick log as the site publishes it: its range of sequence numbers, and the hashes before and at its end.
 */
export interface PublishedHead {
  readonly day: string
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
}

export interface LogPieces {
  readonly entryLog: readonly LogBatch[]
  readonly exitLog: readonly LogBatch[]
  /** Ticks of the symbol after those that the receipt names, which contradict the receipt. */
  readonly later: readonly LogTick[]
}

/** Recomputes all days of the tick log in a folder, and returns the pieces that are needed to check an order. */
export async function piecesFromFolder(
  folder: string,
  facts: ReceiptFacts,
  heads: readonly PublishedHead[] | null,
): Promise<LogPieces> {
  const files = findDayFiles(folder)
  for (const [at, file] of files.entries()) {
    compareWithBefore(file, files[at - 1])
    if (heads !== null) compareWithPublished(file, heads)
  }
  if (heads !== null) mustFollowOn(heads)
  const names: SymbolNames = new Map([[String(facts.symbol_id), nameOf(facts.symbol, facts.decimals)]])
  const entryLog: LogBatch[] = []
  const exitLog: LogBatch[] = []
  const later: LogTick[] = []
  for (const file of files) {
    for await (const batch of batchesOf(file, names)) {
      if (batch.last_seq >= facts.entry.q && batch.first_seq <= facts.head.q) entryLog.push(batch)
      if (isResult(facts)) addToExit(exitLog, batch, facts)
      for (const tick of ticksAfter(batch, facts)) if (faultOfLater(facts, tick) !== null) later.push(tick)
    }
  }
  mustReach(entryLog, facts.entry.q, facts.head.q, folder)
  if (isResult(facts)) mustReach(exitLog, facts.exit?.q ?? null, facts.decided_head.q, folder)
  return { entryLog, exitLog, later }
}

/**
 * If the order has no exit price, the piece begins with the last batch that was received before an exit price was
 * possible.
 */
function addToExit(exitLog: LogBatch[], batch: LogBatch, facts: ResultFacts): void {
  if (batch.first_seq > facts.decided_head.q) return
  if (facts.exit !== null) {
    if (batch.last_seq >= facts.exit.q) exitLog.push(batch)
    return
  }
  const [first] = placesOf(batch)
  if (first !== undefined && first.receivedMs < facts.expires_ms - facts.max_tick_age_ms - MAX_CLOCK_SKEW_MS)
    exitLog.length = 0
  exitLog.push(batch)
}

/**
 * Returns the ticks of the symbol in a batch that was written after the order was accepted. Late evidence is not a
 * tick.
 */
function ticksAfter(batch: LogBatch, { symbol_id, head }: ReceiptFacts): LogTick[] {
  if (batch.last_seq <= head.q) return []
  return placesOf(batch).filter(({ kind, symbolId }) => kind === 't' && symbolId === symbol_id)
}

function placesOf({ first_seq, last_seq, payload }: LogBatch): PlacedLine[] {
  const text = readBatchText(payload)
  if (text === null) throw new LogDiffers(`A line between the places ${first_seq} and ${last_seq} is malformed.`)
  return placedLines(text)
}

function compareWithBefore({ path, previous }: DayFile, before: DayFile | undefined): void {
  if (before?.head.seq !== previous.seq) return
  if (before.head.hash === previous.hash) return
  throw new LogDiffers(`${basename(path)} does not go on where ${basename(before.path)} ends: one is of another log.`)
}

function compareWithPublished({ path, day, previous, head }: DayFile, heads: readonly PublishedHead[]): void {
  const noted = heads.find((one) => one.day === day)
  if (noted === undefined) throw new CannotCheck(`There is no published head of ${day}.`)
  const arePlaces = noted.first_seq === previous.seq + 1 && noted.last_seq === head.seq
  if (arePlaces && noted.hash === head.hash && noted.previous_hash === previous.hash) return
  throw new LogDiffers(`The head of ${basename(path)} is not the one that was published for ${day}.`)
}

/**
 * Checks the published heads: days have separate ranges of sequence numbers, and a day that directly continues another
 * starts from the last hash of that day.
 */
function mustFollowOn(heads: readonly PublishedHead[]): void {
  let before: PublishedHead | null = null
  for (const head of heads.toSorted((a, b) => a.first_seq - b.first_seq)) {
    const isAfter = before === null || (head.day > before.day && head.first_seq > before.last_seq)
    const isNext = before !== null && head.first_seq === before.last_seq + 1
    const isFirst = head.first_seq === 1
    if (
      !isAfter ||
      head.last_seq < head.first_seq ||
      (isNext && head.previous_hash !== before?.hash) ||
      isFirst !== (head.previous_hash === NOTHING_BEFORE)
    ) {
      throw new LogDiffers(`The published heads contradict each other at ${head.day}.`)
    }
    before = head
  }
}

const NOTHING_BEFORE = '0'.repeat(64)

function mustReach(piece: readonly LogBatch[], from: number | null, to: number, folder: string): void {
  const [first, last] = [piece[0], piece.at(-1)]
  const isWhole = piece.every((batch, at) => at === 0 || batch.first_seq === (piece[at - 1]?.last_seq ?? 0) + 1)
  if (isWhole && first && last && last.last_seq >= to && (from === null || first.first_seq <= from)) return
  throw new CannotCheck(`The days with the places ${from ?? 'up'} to ${to} of the log are not all in ${folder}.`)
}
