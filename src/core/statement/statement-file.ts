import { readKeys } from '#core/proof/bundle-file.ts'
import type { SigningKey } from '#core/proof/check-signature.ts'
import { parseJson } from '#core/text/parse-json.ts'

export const STATEMENT_FORMAT = 'fairwick-statement'
export const STATEMENT_VERSION = 1

/** A signed statement as it is downloaded. */
export interface StatementFile {
  /** The facts as text, exactly as they were signed. */
  readonly facts: string
  /** A compact JWS (RFC 7515, EdDSA with Ed25519) whose payload is the text of the facts. */
  readonly signature: string
  readonly keys: readonly SigningKey[]
  /** The rows as CSV, exactly as they were hashed. */
  readonly rows: string
}

/** Parses a signed statement. Null when the text is not a statement, or is cut off. */
export function readStatementFile(text: string): StatementFile | null {
  const value = parse(text)
  if (typeof value !== 'object' || value === null) return null
  const { format, version, facts, signature, keys: list, rows } = value as Record<string, unknown>
  if (format !== STATEMENT_FORMAT || version !== STATEMENT_VERSION) return null
  const keys = Array.isArray(list) ? readKeys(list) : null
  if (typeof facts !== 'string' || typeof signature !== 'string' || typeof rows !== 'string' || keys === null) {
    return null
  }
  return { facts, signature, keys, rows }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // A file that is cut off is not JSON.
    return null
  }
}
