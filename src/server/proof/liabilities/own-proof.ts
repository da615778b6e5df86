import { toHex } from '#core/proof/bytes.ts'
import type { DayRecord } from '#core/proof/day-record.ts'
import { type OwnProof, PROOF_FORMAT, PROOF_VERSION } from '#core/proof/own-proof.ts'
import { hashOf, sumOf } from '#core/proof/sum-tree.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { findAccount, findDay, findPlaces } from '#server/proof/liabilities/liabilities.queries.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { unpackParts } from '#server/proof/liabilities/stored-parts.ts'
import { piecesOnTheWay, siblingsIn } from '#server/proof/liabilities/stored-tree.ts'

/**
 * Finds the proof of an account for a day, or for the newest day.
 * Returns null for an account that was opened later, a day without a record, and a day whose leaves are deleted.
 */
export async function findOwnProof(db: Db, userId: string, dayText?: string): Promise<OwnProof | null> {
  const day = dayText === undefined ? undefined : Date.parse(dayText) / DAY_MS
  const record = await findDay(db, day)
  return record && proofIn(db, record, userId)
}

async function proofIn(db: Db, record: DayRecord, userId: string): Promise<OwnProof | null> {
  const day = Date.parse(record.day) / DAY_MS
  const account = await findAccount(db, day, userId)
  if (account === null) return null
  const { leaves } = record
  const parts = unpackParts(account.parts)
  const wanted = parts.flatMap(({ index }) => piecesOnTheWay(leaves, index))
  const pieces = await findPlaces(db, day, wanted)
  const proved: OwnProof['parts'][number][] = []
  for (const { amount, index } of parts) {
    const siblings = siblingsIn(sha256, pieces, { leaves, index })
    if (siblings === null) return null
    const written = siblings.map((place) => ({ hash: toHex(hashOf(place)), sum: String(sumOf(place)) }))
    proved.push({ amount: String(amount), index, siblings: written })
  }
  return {
    format: PROOF_FORMAT,
    version: PROOF_VERSION,
    record,
    account: {
      id: userId,
      salt: toHex(account.salt),
      cash: String(account.cash),
      staked: String(account.staked),
      withdrawing: String(account.withdrawing),
    },
    parts: proved,
  }
}
