// `npm run check:liabilities -- FILE [--root HEX] [--days FILE]` checks a downloaded proof of the amounts owed to an
// account, without a server. docs/reference/liabilities.md describes the format. Exit codes: 0 it matches, 1 it does not match, 2
// it could not be checked.
import { checkProofFile } from './verify/check-proof-file.ts'

const { exitCode, lines } = checkProofFile(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
