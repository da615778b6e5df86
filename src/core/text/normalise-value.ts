import { normaliseText } from '#core/text/normalise-text.ts'

/** 20 levels: texts further down are not normalised. Schemas reject such JSON, because no valid request is so deep. */
const MAX_DEPTH = 20

/** Normalises every text in a request body with `normaliseText`. Fields named in `verbatim` are not changed. */
export function normaliseValue(value: unknown, verbatim: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return normaliseText(value)
  // Uploaded files stay unchanged: their bytes are not text.
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || depth === MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((part) => normaliseValue(part, verbatim, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      verbatim.includes(name) ? part : normaliseValue(part, verbatim, depth + 1),
    ]),
  )
}
