// `npm run calibrate -- FILE.csv.gz|DIR`: sells orders back on recorded days and says whether the price would have been
// fair. docs/reference/calibrate.md describes it. Exit codes: 0 the price was fair, 1 the price was not fair, 2 the
// price could not be calibrated.
import { calibrateDays } from './verify/calibration/calibrate-days.ts'

const { exitCode, lines } = await calibrateDays(process.argv.slice(2))
for (const line of lines) console.log(line)
process.exitCode = exitCode
