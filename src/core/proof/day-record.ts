import { asciiBytes, fromHex, joinBytes, LARGEST_NUMBER, numberBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import { DAY_MS, instant, toIso } from '#core/time/instant.ts'

/**
 * What is published of one day. Amounts are hundredths of the currency as decimal text, hashes hexadecimal text in small
 * letters. `head` covers all of it and the head of the day before, so that no day can be changed later on.
 */
export interface DayRecord {
  /** From 1, without gaps. */
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

/** What the first record names as the head before it. */
export const NO_HEAD = '0'.repeat(64)

const PREFIX = asciiBytes('fairwick liabilities day 1')

export function headOf(sha256: Sha256, record: Omit<DayRecord, 'head'>): string {
  const { number, taken_at, leaves, total, root, previous, currency } = record
  const takenMs = Date.parse(taken_at)
  const numbers = [number, Math.floor(takenMs / DAY_MS), takenMs, leaves, BigInt(total)].map(numberBytes)
  return toHex(sha256(joinBytes(PREFIX, fromHex(previous), ...numbers, fromHex(root), asciiBytes(currency))))
}

/** `2026-11-21` of the moment it was taken. */
export function dayText(takenMs: number): string {
  return toIso(instant(takenMs)).slice(0, 'yyyy-mm-dd'.length)
}

/** Whether a record is written as it has to be and its head is the one of what it says. */
export function isSound(sha256: Sha256, record: DayRecord): boolean {
  const takenMs = Date.parse(record.taken_at)
  return (
    isCount(record.number) &&
    isTree(record.leaves) &&
    isAmount(record.total) &&
    isHash(record.root) &&
    isHash(record.previous) &&
    (record.previous === NO_HEAD) === (record.number === 1) &&
    isHash(record.head) &&
    /^[A-Z]{3,8}$/.test(record.currency) &&
    Number.isSafeInteger(takenMs) &&
    takenMs >= 0 &&
    /^\d{4}-/.test(record.taken_at) &&
    toIso(instant(takenMs)) === record.taken_at &&
    dayText(takenMs) === record.day &&
    headOf(sha256, record) === record.head
  )
}

/** Whether records, the newest first, are sound and each covers the one before. */
export function isChain(sha256: Sha256, records: readonly DayRecord[]): boolean {
  return records.every((record, at) => {
    const before = records[at + 1]
    if (!isSound(sha256, record)) return false
    if (before === undefined) return true
    return record.previous === before.head && record.number === before.number + 1 && record.taken_at > before.taken_at
  })
}

export function isAmount(text: string): boolean {
  return /^(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= LARGEST_NUMBER
}

export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

/** Four quarters, each a power of two. */
function isTree(leaves: number): boolean {
  return Number.isInteger(leaves) && leaves >= 4 && leaves <= 2 ** 30 && Number.isInteger(Math.log2(leaves))
}
