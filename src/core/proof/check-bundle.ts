import { type AmendedFault, checkAmended } from '#core/proof/check-amended.ts'
import { type ReceiptCheck, checkReceipt } from '#core/proof/check-receipt.ts'
import { checkSignature, type CheckTools, type SignatureFault, type SigningKey } from '#core/proof/check-signature.ts'
import { checkSale, type SaleFault } from '#core/proof/check-sale.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'
import { areTermsPublished, isVoidedEarly, saleTermsFault } from '#core/proof/check-terms.ts'
import type { LogTick } from '#core/markets/log-text.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import type { Receipt } from '#core/proof/receipt.ts'
import { type AmendedFacts, isOfPractice, isResult, type ReceiptFacts } from '#core/proof/receipt-facts.ts'

/** Receipts of one order with all data needed to check them. */
export interface Bundle {
  readonly accepted: Receipt | null
  readonly result: Receipt | null
  /** The receipt of an amended result, for which the site paid the user the difference. */
  readonly amended?: Receipt | null | undefined
  /** The receipt of a sale, in place of a result. */
  readonly sale?: Receipt | null | undefined
  readonly entryLog: readonly LogBatch[]
  readonly exitLog: readonly LogBatch[]
  readonly keys: readonly SigningKey[]
  /** The published trade terms, from the first entry on. Null leaves them unchecked. */
  readonly terms?: readonly string[] | null
  /** Published configurations of the price sources. */
  readonly sources?: readonly string[]
  /**
   * Known ticks of the symbol after `entryLog` and `exitLog`. They can prove that the server should have decided
   * otherwise.
   */
  readonly later?: readonly LogTick[]
}

/**
 * `terms`: the two receipts name different orders or different terms of the order. `terms_unknown`: no published trade
 * terms allow the order as it was accepted.
 */
export type BundleFault = AmendedFault | SaleFault | SignatureFault | 'terms_unknown'

export interface BundleCheck extends Omit<ReceiptCheck, 'faults'> {
  /** Empty when every check passed. */
  readonly faults: readonly BundleFault[]
  /** Ids of the signing keys, each computed from the key that verified a signature. */
  readonly kids: readonly string[]
  /** The facts of the amended result. Null without one. */
  readonly amended: AmendedFacts | null
  /** The facts of the sale. Null without one. */
  readonly sale: SaleFacts | null
}

/** Checks one or both receipts of an order: signatures, log, settlement rule, and that the receipts agree. */
export function checkBundle(tools: CheckTools, bundle: Bundle): BundleCheck {
  const given = [bundle.accepted, bundle.result].filter((receipt) => receipt !== null)
  const checks = given.map((receipt) => checkOne(tools, receipt, bundle))
  const main = checks.at(-1)
  if (main === undefined) return NOTHING_TO_CHECK
  const faults = new Set<BundleFault>(checks.flatMap((check) => check.faults))
  const [accepted, result] = [checks[0]?.facts, main.facts]
  const isMisplaced =
    (bundle.accepted !== null && accepted && isResult(accepted)) ||
    (bundle.result !== null && result && !isResult(result))
  if (isMisplaced === true || (accepted && result && !areOfOneOrder(accepted, result))) faults.add('terms')
  for (const { facts } of checks) {
    if (facts === null || bundle.terms === null) continue
    if (!hasTerms(tools, facts, bundle)) faults.add('terms_unknown')
    else if (isVoidedEarly(tools.sha256, facts, bundle.terms ?? [])) faults.add('withheld')
  }
  const amended = checkAmendedResult(tools, bundle)
  const sale = checkSaleOf(tools, bundle)
  for (const fault of [...amended.faults, ...sale.faults]) faults.add(fault)
  const logFault = checks.find((check) => check.logFault !== null)?.logFault ?? null
  const kids = new Set([...checks.flatMap((check) => check.kids), ...amended.kids, ...sale.kids])
  return { ...main, faults: [...faults], logFault, kids: [...kids], amended: amended.facts, sale: sale.facts }
}

function checkAmendedResult(tools: CheckTools, { amended = null, result, keys }: Bundle) {
  if (amended === null) return { facts: null, faults: [], kids: [] }
  const signed = checkSignature(tools, amended.signature, keys)
  if (typeof signed !== 'string')
    return { ...checkAmended(tools.sha256, { amended, result }, signed.root), kids: [signed.kid] }
  const { facts, faults } = checkAmended(tools.sha256, { amended, result }, null)
  return { facts, faults: [signed, ...faults], kids: [] }
}

function checkSaleOf(tools: CheckTools, bundle: Bundle) {
  const { sale = null, accepted, result, exitLog, keys, terms = [] } = bundle
  if (sale === null) return { facts: null, faults: [], kids: [] }
  const signed = checkSignature(tools, sale.signature, keys)
  const root = typeof signed === 'string' ? null : signed.root
  const { facts, faults } = checkSale(tools.sha256, { sale, accepted, exitLog }, root)
  const more: BundleFault[] = typeof signed === 'string' ? [signed] : []
  // An order is sold or settled, not both.
  if (result !== null) more.push('terms')
  const termsFault = facts === null || terms === null ? null : saleTermsFault(tools.sha256, facts, terms)
  if (termsFault !== null) more.push(termsFault)
  return { facts, faults: [...more, ...faults], kids: typeof signed === 'string' ? [] : [signed.kid] }
}

function hasTerms(tools: CheckTools, facts: ReceiptFacts, { terms, sources = [], entryLog }: Bundle): boolean {
  return areTermsPublished(tools.sha256, facts, { terms: terms ?? [], sources, entryLog })
}

/** The check result of a bundle without a readable receipt. */
export const NOTHING_TO_CHECK: BundleCheck = {
  facts: null,
  faults: ['form'],
  logFault: null,
  recomputed: null,
  ticks: [],
  kids: [],
  amended: null,
  sale: null,
}

function checkOne(tools: CheckTools, receipt: Receipt, bundle: Bundle): Omit<BundleCheck, 'amended' | 'sale'> {
  const { entryLog, exitLog, keys, later = [] } = bundle
  const signed = checkSignature(tools, receipt.signature, keys)
  if (typeof signed !== 'string') {
    const check = checkReceipt(tools.sha256, receipt, { signed: signed.root, entryLog, exitLog, later })
    return { ...check, kids: [signed.kid] }
  }
  // The other checks also run without a valid signature, so that all faults are reported.
  const check = checkReceipt(tools.sha256, receipt, { signed: null, entryLog, exitLog, later })
  return { ...check, faults: [signed, ...check.faults], kids: [] }
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
  'terms',
  'evidence',
  'source',
  'opened_ms',
  'expires_ms',
  'entry',
  'head',
  'owner',
] as const

function areOfOneOrder(accepted: ReceiptFacts, result: ReceiptFacts): boolean {
  // In version 1, only the receipt of the result has the maximum age.
  if (isOfPractice(accepted) !== isOfPractice(result)) return false
  const terms = accepted.v === 1 ? TERMS : ([...TERMS, 'max_tick_age_ms'] as const)
  return terms.every((term) => JSON.stringify(accepted[term]) === JSON.stringify(result[term]))
}
