import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { arrivedOf, arrivedText } from '#core/wallet/arrival-credit.ts'
import { type MoneyOwner, moneyFactsText, moneyOwnerText } from '#core/proof/money-facts.ts'
import { openDetails, withdrawalPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { type MoneyStepRow, readMoneySteps } from '#server/proof/receipts/money-steps.queries.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'

/** The steps for which staff members write a text for the user. */
const WITH_WORDS = ['approved', 'paid', 'failed', 'returned', 'credited', 'rejected', 'announced', 'posted']

/**
 * The facts of a step, with the part that only the user gets. When the user's data is erased, this part is removed and
 * its hash is kept.
 */
interface MoneyLeaf extends Leaf {
  readonly owner?: string
}

/** Builds the leaves of these steps from the rows of their records, in the same order. */
export async function moneyLeaves(ctx: Pick<Ctx, 'db' | 'vault'>, keys: readonly OrderKey[]): Promise<MoneyLeaf[]> {
  return (await readMoneySteps(ctx.db, keys)).map((row) => moneyLeaf(ctx, row))
}

/** Computes the hash of the owner's part of each step, in the same order. */
export async function moneyOwnerHashes(ctx: Pick<Ctx, 'db' | 'vault'>, keys: readonly OrderKey[]): Promise<string[]> {
  return (await readMoneySteps(ctx.db, keys)).map((row) => row.owner_sha256 ?? sha256OfText(ownerOf(ctx.vault, row)))
}

function moneyLeaf({ vault }: Pick<Ctx, 'vault'>, row: MoneyStepRow): MoneyLeaf {
  const isErased = row.owner_sha256 !== null
  const owner = isErased ? '' : ownerOf(vault, row)
  const atMs = Number(row.at_ms)
  const facts = { v: 2, kind: 'money', trx: row.trx, of: row.of_kind, step: row.step, at_ms: atMs } as const
  const text = moneyFactsText({ ...facts, owner: row.owner_sha256 ?? sha256OfText(owner) })
  return { userId: row.user_id, orderId: row.id, atMs, text, ...(!isErased && { owner }) }
}

function ownerOf(vault: Ctx['vault'], row: MoneyStepRow): string {
  return moneyOwnerText({
    record: row.record_id,
    amount: String(row.amount),
    currency: row.currency?.toUpperCase() ?? BASE_CURRENCY,
    charges: String(row.charges),
    to: row.details === null ? row.wallet_address : destinationText(vault, row),
    reason: wordsOf(row),
  } satisfies MoneyOwner)
}

/** The payment details as the user entered them: one line for each field. */
function destinationText(vault: Ctx['vault'], { user_id: userId, record_id: id, details }: MoneyStepRow): string {
  return Object.entries(openDetails(vault, details, withdrawalPlace(userId, id)))
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n')
}

/**
 * Returns the text for the user at a step. An adjustment has one reason from the beginning, so its rejection adds no
 * text. The text of a payment begins with the reference of the payment, and the text of a credit with the arrived
 * amount if it differs from the amount to pay.
 */
function wordsOf(row: MoneyStepRow): string {
  const { step, words, payment, reason_code: code, arrived, total, currency } = row
  if (!WITH_WORDS.includes(step)) return ''
  if (arrived !== null && total !== null && BigInt(arrived) !== arrivedOf(money(total))) {
    const what = `${arrivedText(BigInt(arrived), currency ?? '')} ${currency ?? ''}`
    return words === '' ? what : `${what}\n${words}`
  }
  if (payment !== null) return words === '' ? payment : `${payment}\n${words}`
  return code === null ? words : `${code}: ${words}`
}
