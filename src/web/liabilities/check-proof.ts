import { sha256 } from '@noble/hashes/sha2.js'
import { type DayRecord, isChain } from '#core/proof/day-record.ts'
import { findFaults, type OwnProof, type ProofFault } from '#core/proof/own-proof.ts'

/** What the browser found out about a proof, by itself. */
export interface ProofVerdict {
  readonly matches: boolean
  /** The parts are mine and come to what the server says was owed. */
  readonly amounts: boolean
  /** They are under the root, which comes to the total. */
  readonly tree: boolean
  /** The total is the published one, and no day since was changed. */
  readonly published: boolean
}

/** Checks an own proof against the records that were published, the newest first. */
export function checkProof(proof: OwnProof, accountId: string, published: readonly DayRecord[]): ProofVerdict {
  const faults = findFaults(sha256, proof, { accountId, published })
  const lacks = (...named: ProofFault[]) => !faults.some((fault) => fault === 'form' || named.includes(fault))
  return {
    matches: faults.length === 0,
    amounts: lacks('account', 'amounts'),
    tree: lacks('tree'),
    published: lacks('record', 'published'),
  }
}

/** Whether published records, the newest first, follow on from each other. */
export function followOn(records: readonly DayRecord[]): boolean {
  return isChain(sha256, records)
}
