/** 64: how deep a file may be nested. What is checked needs eight. */
const MAX_DEPTH = 64

/** What builds a JSON text: texts, brackets, and the colon that makes a name of the text before it. */
const MARKS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:]/gs

/**
 * Reads JSON that every reader understands alike. Throws on anything else, on a name that occurs twice in one object, of
 * which some would take the first and some the last, and on nesting that some could not follow.
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
  if (names?.has(name) === true) throw new SyntaxError(`the name ${name} is there twice`)
  names?.add(name)
}
