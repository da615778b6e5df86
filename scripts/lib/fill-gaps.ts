export type TextsBySection = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * A language with the texts it lacks put in from English. A plural it has in its own forms is not mixed with English
 * ones: a form that is missing there falls back to the language's own general one.
 */
export function fillGaps(texts: TextsBySection, english: TextsBySection): TextsBySection {
  const sections = Object.entries(english).map(([section, originals]) => {
    const own = texts[section] ?? {}
    const missing = Object.entries(originals).filter(([name]) => !(name in own || generalForm(name) in own))
    return [section, { ...Object.fromEntries(missing), ...own }] as const
  })
  return Object.fromEntries(sections)
}

/** `orders_one` → `orders_other`; a name that is no plural stays. */
function generalForm(name: string): string {
  return name.replace(/_(?:zero|one|two|few|many|other)$/, '_other')
}
