import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Returns the recorded messages of one file in `data/wire`, in the order of their arrival. */
export function readWire(file: string): string[] {
  const bytes = readFileSync(join(import.meta.dirname, '../../../data/wire', file))
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').filter((line) => line.trim() !== '')
}
