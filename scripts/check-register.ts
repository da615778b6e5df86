// `npm run check:register -- --policy FILE [--from URL [--receipt FILE [--keys FILE]]] [NOTE…]`: checks signed states
// of a register with keys that did not come from its operator, and that the register has the receipts of a file. The
// formats are described in docs/reference/register.md. Exit codes: 0 the states match, 1 they do not, 2 they could not
// be checked.
import { checkRegister } from './verify/check-register.ts'

const { exitCode, lines } = await checkRegister(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
