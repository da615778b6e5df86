import { checkMoney, type MoneyFault, type MoneyReceipts } from '#core/proof/check-money.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { DIFFERS, faultText, MATCHES } from './check-verdict.ts'

/** Messages for the faults that need another text for receipts of money than for receipts of orders. */
const FAULTS = {
  owner: "The owner's part is not that of this receipt: amount, destination or words are others.",
  times: 'A receipt was signed before its step, or a later step is earlier.',
  terms: 'The receipts name different records, amounts or destinations.',
  steps: 'No record takes these steps in this order: the receipts contradict each other.',
}

function hasOwnText(fault: MoneyFault): fault is keyof typeof FAULTS {
  return Object.hasOwn(FAULTS, fault)
}

/**
 * Makes a text of the receipt safe for the terminal. Replaces line breaks, and control characters and direction marks,
 * which could hide the verdict, by spaces.
 */
function onOneLine(words: string): string {
  return words.replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
}

/** Checks the receipts of a deposit, a withdrawal or an adjustment. Returns the exit code and the lines to print. */
export function checkMoneyReceipts(
  content: MoneyReceipts,
  isOwnKey: boolean,
): { readonly exitCode: number; readonly lines: readonly string[] } {
  const { steps, faults, kids } = checkMoney(SERVER_TOOLS, content)
  const at = (ms: number) => toIso(instant(ms))
  const lines = steps.map(({ facts, signedMs }) => {
    const signed = signedMs === null ? 'not signed' : `signed ${at(signedMs)}`
    return `${facts.of} ${facts.trx}: ${facts.step} ${at(facts.at_ms)}, ${signed}`
  })
  if (faults.length > 0) {
    const found = faults.map((fault) => (hasOwnText(fault) ? FAULTS[fault] : faultText(fault, null)))
    return { exitCode: DIFFERS, lines: [...lines, ...new Set(found), 'THIS DOES NOT MATCH.'] }
  }
  const owner = steps.at(-1)?.owner
  if (owner) {
    const units = (text: string) => formatDecimal(BigInt(text), 2)
    lines.push(`${units(owner.amount)} ${owner.currency}, charges ${units(owner.charges)}`)
    if (owner.to !== '') lines.push(`To: ${onOneLine(owner.to)}`)
    if (owner.reason !== '') lines.push(`Words: ${onOneLine(owner.reason)}`)
  }
  if (isOwnKey) lines.push(`Compare the key with the published ones, its id is computed here: ${kids.join(', ')}`)
  return { exitCode: MATCHES, lines: [...lines, 'It matches.'] }
}
