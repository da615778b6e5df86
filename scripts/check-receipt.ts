// `npm run check:receipt -- FILE [--log DIR [--heads FILE]] [--keys FILE]`: checks without a server whether the
// receipts of an order are right. The format is described in docs/reference/receipts.md.
// Exit codes: 0 it matches, 1 it does not, 2 it could not be checked.
import { checkReceiptFile } from './verify/check-receipt-file.ts'

const { exitCode, lines } = await checkReceiptFile(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
