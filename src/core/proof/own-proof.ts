import { isCanonicalUuid } from '#core/ids/uuid.ts'
import { fromHex, type Sha256, toHex } from '#core/proof/bytes.ts'
import { type DayRecord, isAmount, isChain, isHash, isSound } from '#core/proof/day-record.ts'
import { leavesOf, type Owed, totalLiability, PARTS } from '#core/proof/liability.ts'
import { rootFromPath, hashOf, placeOf, sumOf } from '#core/proof/sum-tree.ts'

export const PROOF_FORMAT = 'fairwick-liabilities-proof'
export const PROOF_VERSION = 1

/** A user's proof that the amount owed to them is part of the published total. */
export interface OwnProof {
  readonly format: typeof PROOF_FORMAT
  readonly version: typeof PROOF_VERSION
  readonly record: DayRecord
  readonly account: {
    readonly id: string
    readonly salt: string
    readonly cash: string
    readonly staked: string
    readonly withdrawing: string
  }
  /** One part in each quarter of the tree, in the order of the quarters. */
  readonly parts: readonly ProofPart[]
}

export interface ProofPart {
  readonly amount: string
  /** Index of the leaf, from 0. */
  readonly index: number
  /** Siblings on the path to the root, from the bottom. */
  readonly siblings: readonly { readonly hash: string; readonly sum: string }[]
}

/**
 * The faults of a proof:
 * - `form`: it is malformed.
 * - `account`: it belongs to another user.
 * - `amounts`: the parts do not add up to the amounts owed.
 * - `tree`: a part is not under the root, or the total differs.
 * - `record`: the head does not match the day's record.
 * - `published`: the record differs from the published record, or a day in between was changed.
 */
export type ProofFault = 'form' | 'account' | 'amounts' | 'tree' | 'record' | 'published'

interface Expected {
  /** The account that the proof must belong to. Without it, any account is accepted. */
  readonly accountId?: string
  /** The published records, newest first, back to at least the day of the proof. */
  readonly published?: readonly DayRecord[]
}

/**
 * Parses a proof from a file. Returns null when fields are missing or have a wrong type. `findFaults` checks the
 * values.
 */
export function readProof(value: unknown): OwnProof | null {
  if (!isObject(value)) return null
  const { format, version, record, account, parts } = value
  if (format !== PROOF_FORMAT || version !== PROOF_VERSION) return null
  const isRecord = has(
    record,
    ['day', 'taken_at', 'currency', 'total', 'root', 'previous', 'head'],
    ['number', 'leaves'],
  )
  const isAccount = has(account, ['id', 'salt', 'cash', 'staked', 'withdrawing'])
  return isRecord && isAccount && Array.isArray(parts) && parts.every(isPart) ? (value as unknown as OwnProof) : null
}

function isPart(value: unknown): boolean {
  if (!has(value, ['amount'], ['index'])) return false
  const { siblings } = value
  return Array.isArray(siblings) && siblings.every((sibling) => has(sibling, ['hash', 'sum']))
}

/** Whether a value has these text and number fields. */
function has(
  value: unknown,
  texts: readonly string[],
  numbers: readonly string[] = [],
): value is Record<string, unknown> {
  if (!isObject(value)) return false
  return (
    texts.every((name) => typeof value[name] === 'string') && numbers.every((name) => typeof value[name] === 'number')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lists all faults of a proof. Empty when its amounts are part of the published total. */
export function findFaults(sha256: Sha256, proof: OwnProof, { accountId, published }: Expected = {}): ProofFault[] {
  if (!isWellFormed(proof)) return ['form']
  const faults: ProofFault[] = []
  const { record } = proof
  if (accountId !== undefined && proof.account.id !== accountId) faults.push('account')
  if (proof.parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n) !== totalLiability(owedIn(proof)))
    faults.push('amounts')
  if (!placedParts(sha256, proof).every((placed) => isUnderRoot(sha256, record, placed))) faults.push('tree')
  if (!isSound(sha256, record)) faults.push('record')
  if (published !== undefined && !isPublished(sha256, record, published)) faults.push('published')
  return faults
}

export function owedIn({ account }: OwnProof): Owed {
  return { cash: BigInt(account.cash), staked: BigInt(account.staked), withdrawing: BigInt(account.withdrawing) }
}

function isWellFormed({ format, version, account, parts }: OwnProof): boolean {
  return (
    (format as string) === PROOF_FORMAT &&
    (version as number) === PROOF_VERSION &&
    isCanonicalUuid(account.id) &&
    isHash(account.salt) &&
    [account.cash, account.staked, account.withdrawing].every(isAmount) &&
    parts.length === PARTS &&
    parts.every(
      ({ amount, index, siblings }) =>
        isAmount(amount) &&
        Number.isSafeInteger(index) &&
        siblings.every(({ hash, sum }) => isHash(hash) && isAmount(sum)),
    )
  )
}

interface PlacedPart {
  readonly part: ProofPart
  readonly leaf: Uint8Array
  /** The index of the part in the proof, from 0. The part's quarter of the tree has the same index. */
  readonly at: number
}

function placedParts(sha256: Sha256, proof: OwnProof): PlacedPart[] {
  const facts = { ...owedIn(proof), accountId: proof.account.id, salt: fromHex(proof.account.salt) }
  const amounts = proof.parts.map(({ amount }) => BigInt(amount))
  return leavesOf(sha256, facts, amounts).flatMap((leaf, at) => {
    const part = proof.parts[at]
    return part === undefined ? [] : [{ part, leaf, at }]
  })
}

/**
 * Checks that a part is in its own quarter, so that no part is shown twice, and that its path has the height of the
 * tree.
 */
function isUnderRoot(sha256: Sha256, { root, total, leaves }: DayRecord, { part, leaf, at }: PlacedPart): boolean {
  const quarter = leaves / PARTS
  if (part.index < at * quarter || part.index >= (at + 1) * quarter) return false
  if (2 ** part.siblings.length !== leaves) return false
  try {
    const siblings = part.siblings.map(({ hash, sum }) => placeOf(fromHex(hash), BigInt(sum)))
    const top = rootFromPath(sha256, leaf, part.index, siblings)
    return toHex(hashOf(top)) === root && String(sumOf(top)) === total
  } catch {
    return false // `rootFromPath` throws when a sum is out of range.
  }
}

function isPublished(sha256: Sha256, record: DayRecord, published: readonly DayRecord[]): boolean {
  const found = published.find(({ number }) => number === record.number)
  return found !== undefined && found.head === record.head && isChain(sha256, published)
}
