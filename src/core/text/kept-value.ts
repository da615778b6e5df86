import { keptText } from '#core/text/kept-text.ts'

/** JSON deeper than any request has is left to the schemas. */
const MAX_DEPTH = 20

/**
 * Returns what was sent with every text in it as texts are kept, whoever sent it and whatever becomes of it. Fields named
 * in `verbatim` stay as they were typed.
 */
export function keptValue(value: unknown, verbatim: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return keptText(value)
  // The bytes of a file are no texts.
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || depth === MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((part) => keptValue(part, verbatim, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      verbatim.includes(name) ? part : keptValue(part, verbatim, depth + 1),
    ]),
  )
}
