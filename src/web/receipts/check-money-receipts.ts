import { checkMoney, type MoneyCheck, type MoneyReceipts } from '#core/proof/check-money.ts'
import { readMoneyReceipts } from '#core/proof/money-file.ts'
import { call } from '#web/api/call.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { publishedKeys } from '#web/receipts/check-order.ts'

/** The receipts of a deposit, a withdrawal or an adjustment, with the findings of this browser. */
export interface CheckedReceipts {
  readonly content: MoneyReceipts
  readonly check: MoneyCheck
  /** Whether only the keys from the file were available for the check. */
  readonly areKeysOwn: boolean
  readonly isFromFile: boolean
}

/** Downloads the receipts of a record and checks them in the browser. */
export async function checkMoneyOf(trx: string, signal?: AbortSignal): Promise<CheckedReceipts> {
  const [{ data }, keys] = await Promise.all([
    call('GET /proof/money/:trx', { params: { trx }, signal }),
    publishedKeys(signal),
  ])
  // Receipts that cannot be read must not look like missing receipts.
  const content = readMoneyReceipts({ ...data, keys }) ?? { receipts: [], keys: [] }
  const check = checkMoney(BROWSER_TOOLS, content)
  const isOther = check.steps.some(({ facts }) => facts.trx !== trx)
  const faults = isOther ? [...check.faults, 'terms' as const] : check.faults
  return { content, check: { ...check, faults }, areKeysOwn: false, isFromFile: false }
}

/** Checks the receipts of a file, with the published keys if they can be loaded. */
export async function checkMoneyFile(file: MoneyReceipts): Promise<CheckedReceipts> {
  // Without a network, the keys of the file are used.
  const published = await publishedKeys().catch(() => null)
  const content = { ...file, keys: published ?? file.keys }
  const check = checkMoney(BROWSER_TOOLS, content)
  return { content: file, check, areKeysOwn: published === null, isFromFile: true }
}
