import { readBundleFile } from '#core/proof/bundle-file.ts'
import { checkBundle } from '#core/proof/check-bundle.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'

declare global {
  /** Checks a downloaded receipt as the check page does. `ms`: from the text of the file to the verdict. */
  var checkReceiptOf: (text: string) => { ms: number; faults: readonly string[]; result: string | null }
}

globalThis.checkReceiptOf = (text) => {
  const started = performance.now()
  const file = readBundleFile(text)
  if (typeof file === 'string' || file.evidence === null) throw new Error('not a check file')
  const { accepted, result, keys } = file
  const { entryLog, exitLog } = file.evidence
  const check = checkBundle(BROWSER_TOOLS, { accepted, result, entryLog, exitLog, keys: keys ?? [] })
  return { ms: performance.now() - started, faults: check.faults, result: check.recomputed }
}
