// `npm run check:receipt -- FILE [--log DIR [--heads FILE]] [--keys FILE]` checks the receipts of an order, without a
// server. docs/reference/receipts.md describes the format. Exit codes: 0 it matches, 1 it does not match, 2 it could not be
// checked.
import { checkReceiptFile } from './verify/check-receipt-file.ts'

const { exitCode, lines } = await checkReceiptFile(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
