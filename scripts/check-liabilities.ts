// `npm run check:liabilities -- FILE [--root HEX] [--days FILE]`: checks without a server whether a downloaded proof of
// the amount owed to an account is right. The format is described in docs/reference/liabilities.md. Exit codes: 0 the
// proof matches, 1 it does not, 2 it could not be checked.
import { checkProofFile } from './verify/check-proof-file.ts'

const { exitCode, lines } = checkProofFile(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
