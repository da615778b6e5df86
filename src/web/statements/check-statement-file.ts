import { checkStatement, type StatementCheck } from '#core/statement/check-statement.ts'
import type { StatementFile } from '#core/statement/statement-file.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { publishedKeys } from '#web/receipts/check-order.ts'

export interface CheckedStatement {
  readonly check: StatementCheck
  /** Whether the keys of the file were used, because the published keys could not be loaded. */
  readonly areKeysOwn: boolean
}

/** Checks a signed statement in the browser. The server receives nothing: only the published keys are loaded. */
export async function checkStatementFile(file: StatementFile): Promise<CheckedStatement> {
  // Without a network, the keys in the file are used.
  const published = await publishedKeys().catch(() => null)
  return { check: checkStatement(BROWSER_TOOLS, file, published ?? file.keys), areKeysOwn: published === null }
}
