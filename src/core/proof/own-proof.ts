import { fromHex, type Sha256, toHex } from '#core/proof/bytes.ts'
import { type DayRecord, isAmount, isChain, isHash, isSound } from '#core/proof/day-record.ts'
import { leavesOf, type Owed, owedInAll, PARTS } from '#core/proof/owed.ts'
import { climb, hashOf, placeOf, sumOf } from '#core/proof/sum-tree.ts'

export const PROOF_FORMAT = 'fairwick-liabilities-proof'
export const PROOF_VERSION = 1

/** Everything somebody needs to see that what is owed to them is in the published total. */
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
  /** One in each quarter of the tree, in the order of the quarters. */
  readonly parts: readonly ProofPart[]
}

export interface ProofPart {
  readonly amount: string
  /** Which leaf it is, from 0. */
  readonly index: number
  /** What stands beside the way up, from the bottom. */
  readonly siblings: readonly { readonly hash: string; readonly sum: string }[]
}

/**
 * What is wrong with a proof: `form`, not written as it has to be; `account`, somebody else's; `amounts`, the parts are
 * not what is owed; `tree`, a part is not under the root or the total is another; `record`, the day's record is not
 * covered by its head; `published`, not what was published, or a day in between was changed.
 */
export type ProofFault = 'form' | 'account' | 'amounts' | 'tree' | 'record' | 'published'

interface Expected {
  /** Whose proof it should be. */
  readonly accountId?: string
  /** The published records, the newest first, which must reach back to the day of the proof. */
  readonly published?: readonly DayRecord[]
}

/** Reads a proof from a file; null when fields are missing or of another kind. `findFaults` judges what they say. */
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

/** Whether a value has these texts and these numbers. */
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

/** All that is wrong with a proof; nothing when what it says is in the published total. */
export function findFaults(sha256: Sha256, proof: OwnProof, { accountId, published }: Expected = {}): ProofFault[] {
  if (!isWellFormed(proof)) return ['form']
  const faults: ProofFault[] = []
  const { record } = proof
  if (accountId !== undefined && proof.account.id !== accountId) faults.push('account')
  if (proof.parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n) !== owedInAll(owedIn(proof)))
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
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(account.id) &&
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
  /** Which of the parts. */
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

/** Each part has a quarter of its own, so none is shown twice; and the way up has the length that the tree is high. */
function isUnderRoot(sha256: Sha256, { root, total, leaves }: DayRecord, { part, leaf, at }: PlacedPart): boolean {
  const quarter = leaves / PARTS
  if (part.index < at * quarter || part.index >= (at + 1) * quarter) return false
  if (2 ** part.siblings.length !== leaves) return false
  try {
    const siblings = part.siblings.map(({ hash, sum }) => placeOf(fromHex(hash), BigInt(sum)))
    const top = climb(sha256, leaf, part.index, siblings)
    return toHex(hashOf(top)) === root && String(sumOf(top)) === total
  } catch {
    return false // A sum that is out of range on the way.
  }
}

function isPublished(sha256: Sha256, record: DayRecord, published: readonly DayRecord[]): boolean {
  const found = published.find(({ number }) => number === record.number)
  return found !== undefined && found.head === record.head && isChain(sha256, published)
}
