// `npm run check:statement -- FILE [--keys FILE]`: checks without a server whether a signed statement is right. The
// format is described in docs/reference/receipts.md. Exit codes: 0 the statement matches, 1 it does not, 2 it could not
// be checked.
import { checkStatementFile } from './verify/check-statement-file.ts'

const { exitCode, lines } = checkStatementFile(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
