import { asciiBytes, fromHex, joinBytes, MAX_NUMBER, numberBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import { DAY_MS, instant, toIso } from '#core/time/instant.ts'

/**
 * The published record of one day. Amounts are hundredths of the currency as decimal text; hashes are lower-case
 * hexadecimal. `head` covers all other fields and the previous day's head, so no day can be changed later.
 */
export interface DayRecord {
  /** The number of the record. Records are numbered from 1, without gaps. */
  readonly number: number
  /** `2026-11-21`, in UTC. */
  readonly day: string
  readonly taken_at: string
  readonly currency: string
  readonly leaves: number
  readonly total: string
  readonly root: string
  readonly previous: string
  readonly head: string
}

/** The `previous` head of the first record. */
export const NO_HEAD = '0'.repeat(64)

const PREFIX = asciiBytes('fairwick liabilities day 1')

export function headOf(sha256: Sha256, record: Omit<DayRecord, 'head'>): string {
  const { number, taken_at, leaves, total, root, previous, currency } = record
  const recordedMs = Date.parse(taken_at)
  const numbers = [number, Math.floor(recordedMs / DAY_MS), recordedMs, leaves, BigInt(total)].map(numberBytes)
  return toHex(sha256(joinBytes(PREFIX, fromHex(previous), ...numbers, fromHex(root), asciiBytes(currency))))
}

/** Returns the UTC date of the time at which the record was taken, as `2026-11-21`. */
export function dayText(recordedMs: number): string {
  return toIso(instant(recordedMs)).slice(0, 'yyyy-mm-dd'.length)
}

/** Whether a record is well-formed and its head matches its content. */
export function isSound(sha256: Sha256, record: DayRecord): boolean {
  const recordedMs = Date.parse(record.taken_at)
  return (
    isCount(record.number) &&
    isTree(record.leaves) &&
    isAmount(record.total) &&
    isHash(record.root) &&
    isHash(record.previous) &&
    (record.previous === NO_HEAD) === (record.number === 1) &&
    isHash(record.head) &&
    /^[A-Z]{3,8}$/.test(record.currency) &&
    Number.isSafeInteger(recordedMs) &&
    recordedMs >= 0 &&
    /^\d{4}-/.test(record.taken_at) &&
    toIso(instant(recordedMs)) === record.taken_at &&
    dayText(recordedMs) === record.day &&
    headOf(sha256, record) === record.head
  )
}

/** Whether records, newest first, are sound and each covers its predecessor. */
export function isChain(sha256: Sha256, records: readonly DayRecord[]): boolean {
  return records.every((record, at) => {
    const before = records[at + 1]
    if (!isSound(sha256, record)) return false
    if (before === undefined) return true
    return record.previous === before.head && record.number === before.number + 1 && record.taken_at > before.taken_at
  })
}

export function isAmount(text: string): boolean {
  return /^(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= MAX_NUMBER
}

export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

/** A tree has four quarters, each with a power of two of leaves. */
function isTree(leaves: number): boolean {
  return Number.isInteger(leaves) && leaves >= 4 && leaves <= 2 ** 30 && Number.isInteger(Math.log2(leaves))
}
