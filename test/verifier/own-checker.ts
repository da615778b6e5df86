import { readBundleFile } from '#core/proof/bundle-file.ts'
import { type BundleFault, checkBundle } from '#core/proof/check-bundle.ts'
import { type LogBatch, readLog } from '#core/proof/log-evidence.ts'
import type { ReceiptFacts } from '#core/proof/receipt-facts.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import type { CheckFile } from './signed-orders.ts'

export interface OwnAnswer {
  readonly code: 0 | 1 | 2
  readonly faults: readonly BundleFault[]
  readonly facts: ReceiptFacts | null
}

/** Checks a file as the check page and the command do, with later ticks if the test gives them. */
export function askOwnChecker(file: CheckFile | string, later: readonly LogBatch[] = []): OwnAnswer {
  const content = readBundleFile(typeof file === 'string' ? file : JSON.stringify(file))
  if (typeof content === 'string' || content.evidence === null || content.keys === null)
    return { code: 2, faults: [], facts: null }
  const { accepted, result, amended, sale, evidence, keys } = content
  const read = later.length === 0 ? [] : readLog(SERVER_TOOLS.sha256, later)
  const ticks = 'why' in read ? [] : read
  const { faults, facts } = checkBundle(SERVER_TOOLS, {
    accepted,
    result,
    amended,
    sale,
    ...evidence,
    keys,
    later: ticks,
  })
  return { code: faults.length === 0 ? 0 : 1, faults, facts }
}
