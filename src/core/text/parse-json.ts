/** 64: maximum nesting of a file. Checked files need eight. */
const MAX_DEPTH = 64

/** The tokens that give JSON its structure: strings, brackets and braces, and the colon after a name. */
const MARKS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:]/gs

/**
 * Parses JSON that all parsers read in the same way. Throws on invalid JSON and on duplicate names, because parsers
 * differ in the value that they use. Also throws on nesting that some parsers could not follow.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const open: (Set<string> | null)[] = []
  let newest = ''
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '{' || mark === '[') {
      open.push(mark === '{' ? new Set() : null)
      if (open.length > MAX_DEPTH) throw new SyntaxError('nested too deep')
    } else if (mark === '}' || mark === ']') open.pop()
    else if (mark === ':') addName(open.at(-1), newest)
    else newest = mark
  }
  return value
}

function addName(names: Set<string> | null | undefined, text: string): void {
  const name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1)
  if (names?.has(name) === true) throw new SyntaxError(`the name ${name} occurs twice`)
  names?.add(name)
}
