import { sha256 } from '@noble/hashes/sha2.js'
import { type DayRecord, isChain } from '#core/proof/day-record.ts'
import { findFaults, type OwnProof, type ProofFault } from '#core/proof/own-proof.ts'

/** The browser's own findings about a proof. */
export interface ProofVerdict {
  readonly matches: boolean
  /** The user's amounts match their balances and sum to the amount that the server states. */
  readonly amounts: boolean
  /** The amounts are part of the Merkle root, which sums to the total. */
  readonly tree: boolean
  /** The total equals the published total, and the published records of later days are unchanged. */
  readonly published: boolean
}

/** Checks the user's own proof against the published records, newest first. */
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

/** Whether published records, newest first, form an unbroken hash chain. */
export function followOn(records: readonly DayRecord[]): boolean {
  return isChain(sha256, records)
}
