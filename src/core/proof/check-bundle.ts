import type { Sha256 } from '#core/proof/bytes.ts'
import { type ReceiptCheck, type ReceiptFault, checkReceipt } from '#core/proof/check-receipt.ts'
import {
  checkSignature,
  type SignatureFault,
  type SigningKey,
  type VerifyEd25519,
} from '#core/proof/check-signature.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { type Receipt, rootOfReceipt } from '#core/proof/receipt.ts'
import type { ReceiptFacts } from '#core/proof/receipt-facts.ts'

/** Receipts of one order with everything that they are checked with. */
export interface Bundle {
  readonly accepted: Receipt | null
  readonly result: Receipt | null
  readonly entryLog: readonly LogBatch[]
  readonly exitLog: readonly LogBatch[]
  readonly keys: readonly SigningKey[]
}

/** `terms`: the two receipts are not of the same order, or not of the same terms. */
export type BundleFault = ReceiptFault | SignatureFault | 'terms'

export interface BundleCheck extends Omit<ReceiptCheck, 'faults'> {
  /** Empty when all of it fits. */
  readonly faults: readonly BundleFault[]
}

/** The functions that servers and browsers each have their own of. */
export interface CheckTools {
  readonly sha256: Sha256
  readonly verify: VerifyEd25519
}

/** Checks both receipts of an order, or the one there is: signatures, log, the rule, and that they say the same. */
export function checkBundle(tools: CheckTools, bundle: Bundle): BundleCheck {
  const given = [bundle.accepted, bundle.result].filter((receipt) => receipt !== null)
  const checks = given.map((receipt) => checkOne(tools, receipt, bundle))
  const main = checks.at(-1)
  if (main === undefined) return { facts: null, faults: ['form'], logFault: null, recomputed: null, ticks: [] }
  const faults = new Set<BundleFault>(checks.flatMap((check) => check.faults))
  const [accepted, result] = [checks[0]?.facts, main.facts]
  const isMisplaced =
    (bundle.accepted !== null && accepted?.kind === 'result') || (bundle.result !== null && result?.kind === 'accepted')
  if (isMisplaced || (accepted && result && !areOfOneOrder(accepted, result))) faults.add('terms')
  const logFault = checks.find((check) => check.logFault !== null)?.logFault ?? null
  return { ...main, faults: [...faults], logFault }
}

function checkOne({ sha256, verify }: CheckTools, receipt: Receipt, bundle: Bundle): BundleCheck {
  const { entryLog, exitLog, keys } = bundle
  const signed = checkSignature(receipt.signature, keys, verify)
  if (typeof signed !== 'string') return checkReceipt(sha256, receipt, { signed, entryLog, exitLog })
  // Whoever signed it: the rest is looked at as well, to say all that does not fit.
  const kind = receipt.facts.includes('"kind":"result"') ? 'result' : 'accepted'
  const root = { v: 1, kind, root: rootOfReceipt(sha256, receipt), count: 1, made_ms: 0 } as const
  const check = checkReceipt(sha256, receipt, { signed: root, entryLog, exitLog })
  return { ...check, faults: [signed, ...check.faults] }
}

const TERMS = [
  'trx',
  'symbol',
  'symbol_id',
  'market',
  'decimals',
  'direction',
  'payout_bp',
  'rule',
  'opened_ms',
  'expires_ms',
  'entry',
  'head',
  'owner',
] as const

function areOfOneOrder(accepted: ReceiptFacts, result: ReceiptFacts): boolean {
  return TERMS.every((term) => JSON.stringify(accepted[term]) === JSON.stringify(result[term]))
}
