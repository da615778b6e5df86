import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.mjs'
import { runNpm } from './run.mjs'
import { Stop, step } from './say.mjs'

const LOCK = join(ROOT, 'package-lock.json')
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')
/** Holds the hash of the lock file that node_modules was last found to match. */
const MARK = join(ROOT, 'node_modules/.fairwick-lock')

/** Installs what package-lock.json names, unless it is there already. */
export async function ensurePackages() {
  const lock = readFileSync(LOCK)
  const hash = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex')
  if (readOrNothing(MARK) === hash) return
  if (!isInstalled(JSON.parse(lock.toString()))) {
    await step('Installing packages (npm ci)', async () => {
      // Development packages too, whatever NODE_ENV says: the tests are part of the product.
      const code = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'])
      if (code !== 0) throw new Stop(`The packages could not be installed: npm ci ended with ${code}.`)
    })
  }
  writeFileSync(MARK, hash)
}

/** npm writes down what it installed. Optional packages may be for other systems, so they may be missing. */
function isInstalled(lock) {
  const installed = JSON.parse(readOrNothing(INSTALLED) ?? '{}').packages ?? {}
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  )
}

function readOrNothing(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}
