// `npm run check:receipt -- FILE [--log DIR [--heads FILE]] [--keys FILE] [--source]`: checks without a server whether
// the receipts of an order are right. The format is described in docs/reference/receipts.md. Exit codes: 0 the file
// matches, 1 it does not, 2 it could not be checked.
import { checkReceiptFile } from './verify/check-receipt-file.ts'
import { compareReceipt } from './verify/source/compare-receipt.ts'
import { readPage } from './verify/source/provider-record.ts'

const SOURCE = '--source'
const args = process.argv.slice(2)
const { exitCode, lines } = await checkReceiptFile(
  args.filter((arg) => arg !== SOURCE),
  args.includes(SOURCE) ? (facts, known) => compareReceipt(facts, known, readPage) : undefined,
)
for (const line of lines) console.log(line)
process.exitCode = exitCode
