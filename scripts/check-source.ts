// `npm run check:source -- --log DIR|URL --symbol BTC --from TIME --to TIME [--archive FILE.zip]`: compares prices of
// the tick log with the provider's own record. docs/reference/check-source.md describes it. Exit codes: 0 nothing
// differs, 1 something differs, 2 the prices could not be checked.
import { checkSourceLog } from './verify/source/check-source-log.ts'

const { exitCode, lines } = await checkSourceLog(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
