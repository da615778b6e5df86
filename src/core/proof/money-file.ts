import { readKeys } from '#core/proof/bundle-file.ts'
import type { MoneyReceipts } from '#core/proof/check-money.ts'
import { readReceipt } from '#core/proof/receipt.ts'
import { parseJson } from '#core/text/parse-json.ts'

const MONEY_FILE_FORMAT = 'fairwick-money'

/** Writes a file with the receipts and the keys, which a user can save and give to others. */
export function moneyFileText({ receipts, keys }: MoneyReceipts): string {
  return `${JSON.stringify({ format: MONEY_FILE_FORMAT, version: 1, receipts, keys }, null, 2)}\n`
}

/** Reads a file with the receipts of a deposit, withdrawal or adjustment. Null when it is not such a file. */
export function readMoneyFile(text: string): MoneyReceipts | null {
  try {
    const value: unknown = parseJson(text)
    if (typeof value !== 'object' || value === null) return null
    const { format, version, ...parts } = value as Record<string, unknown>
    return format === MONEY_FILE_FORMAT && version === 1 ? readMoneyReceipts(parts) : null
  } catch {
    // Text that is not JSON, or has a duplicate name, is no file of ours.
    return null
  }
}

/** Reads receipts and keys of a file or of replies. Null when a part is malformed. */
export function readMoneyReceipts({ receipts, keys }: Readonly<Record<string, unknown>>): MoneyReceipts | null {
  const known = readKeys(keys)
  if (!Array.isArray(receipts) || known === null) return null
  const read = receipts.map(readReceipt).filter((receipt) => receipt !== null)
  return read.length === receipts.length && read.length > 0 ? { receipts: read, keys: known } : null
}
