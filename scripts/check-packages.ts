import { readFileSync } from 'node:fs'
import { findBadPackages, type LockedPackage } from './lib/find-bad-packages.ts'

/** `npm run packages` fails when the lockfile contains a forbidden package, and prints its name and the reason. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that npm writes
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that npm reads
const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, boolean> }
const problems = findBadPackages(packages, allowScripts)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${Object.keys(packages).length - 1} packages, ${problems.length} problems\n`)
process.exitCode = problems.length === 0 ? 0 : 1
