import { readFileSync } from 'node:fs'
import { parseJson } from '#core/text/parse-json.ts'
import { CannotCheck, FILE_FAULTS } from './check-verdict.ts'

/** Reads a JSON file. Throws `CannotCheck` with one line when it is not JSON. */
export function readJsonFile(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return parseJson(text)
  } catch {
    throw new CannotCheck(`${file}: ${FILE_FAULTS.cut_off}`)
  }
}
