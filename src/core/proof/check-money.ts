import { checkSignature, type CheckTools, type SignatureFault, type SigningKey } from '#core/proof/check-signature.ts'
import {
  MONEY_COURSES,
  type MoneyFacts,
  type MoneyOwner,
  readMoneyFacts,
  readMoneyOwner,
} from '#core/proof/money-facts.ts'
import { isUnderRoot, ownerHash, type Receipt } from '#core/proof/receipt.ts'

/** The receipts of one deposit, withdrawal or adjustment, with the published keys. */
export interface MoneyReceipts {
  readonly receipts: readonly Receipt[]
  readonly keys: readonly SigningKey[]
}

/**
 * - `form`, `root`, `owner`: as for receipts of orders.
 * - `times`: a receipt was signed before its step, or a later step is earlier.
 * - `terms`: the receipts are of different records, amounts or destinations.
 * - `steps`: no record takes these steps in this order.
 */
export type MoneyFault = SignatureFault | 'form' | 'root' | 'owner' | 'times' | 'terms' | 'steps'

/** One step of the deposit, withdrawal or adjustment, from one receipt. */
export interface CheckedStep {
  readonly facts: MoneyFacts
  /** The part of the facts that only the user gets. Null when the receipt comes without it. */
  readonly owner: MoneyOwner | null
  /** When the receipt was signed. Null without a valid signature. */
  readonly signedMs: number | null
}

export interface MoneyCheck {
  readonly steps: readonly CheckedStep[]
  /** Empty when every check passed. */
  readonly faults: readonly MoneyFault[]
  /** Ids of the signing keys, each computed from the key that verified a signature. */
  readonly kids: readonly string[]
}

/**
 * Checks the receipts of one deposit, withdrawal or adjustment: each receipt separately, and whether all of them form
 * one possible sequence of steps.
 */
export function checkMoney(tools: CheckTools, { receipts, keys }: MoneyReceipts): MoneyCheck {
  const faults = new Set<MoneyFault>()
  const kids = new Set<string>()
  const steps: CheckedStep[] = []
  for (const receipt of receipts) {
    const signed = checkSignature(tools, receipt.signature, keys, 'money')
    if (typeof signed === 'string') faults.add(signed)
    else kids.add(signed.kid)
    const root = typeof signed === 'string' ? null : signed.root
    const facts = readMoneyFacts(receipt.facts)
    if (facts === null) {
      faults.add('form')
      continue
    }
    if (root !== null && !isUnderRoot(tools.sha256, receipt, root)) faults.add('root')
    const owner = receipt.owner === undefined ? null : readMoneyOwner(receipt.owner)
    if (receipt.owner !== undefined && (owner === null || ownerHash(tools.sha256, receipt.owner) !== facts.owner)) {
      faults.add('owner')
    }
    if (root !== null && root.made_ms < facts.at_ms) faults.add('times')
    steps.push({ facts, owner, signedMs: root?.made_ms ?? null })
  }
  if (receipts.length === 0) faults.add('form')
  for (const fault of courseFaults(steps)) faults.add(fault)
  return { steps, faults: [...faults], kids: [...kids] }
}

function* courseFaults(steps: readonly CheckedStep[]): Generator<MoneyFault> {
  const first = steps[0]
  if (first === undefined) return
  const { of, trx } = first.facts
  if (steps.some(({ facts }) => facts.of !== of || facts.trx !== trx)) yield 'terms'
  const owners = steps.flatMap(({ owner }) => (owner === null ? [] : [sameThroughout(owner)]))
  if (new Set(owners).size > 1) yield 'terms'
  if (steps.some(({ facts }, at) => facts.at_ms < (steps[at - 1]?.facts.at_ms ?? 0))) yield 'times'
  const names = steps.map(({ facts }) => facts.step)
  const isPart = (course: readonly string[]) => {
    const places = names.map((name) => course.indexOf(name))
    return places.every((place, at) => place > (places[at - 1] ?? -1))
  }
  if (!MONEY_COURSES[of].some(isPart)) yield 'steps'
}

/** The message to the user may differ between steps. All other fields must stay the same. */
function sameThroughout({ record, amount, currency, charges, to }: MoneyOwner): string {
  return JSON.stringify([record, amount, currency, charges, to])
}
