export type TextsBySection = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Fills the missing texts of a language from English. A plural that the language translates is not mixed with English:
 * a missing form falls back to the language's general form.
 */
export function fillGaps(texts: TextsBySection, english: TextsBySection): TextsBySection {
  const sections = Object.entries(english).map(([section, originals]) => {
    const own = texts[section] ?? {}
    const missing = Object.entries(originals).filter(([name]) => !(name in own || generalForm(name) in own))
    return [section, { ...Object.fromEntries(missing), ...own }] as const
  })
  return Object.fromEntries(sections)
}

/** Returns the general form of a plural: `orders_one` → `orders_other`. Other names are unchanged. */
function generalForm(name: string): string {
  return name.replace(/_(?:zero|one|two|few|many|other)$/, '_other')
}
