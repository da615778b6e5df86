/** Where the texts are named in a source file: whole keys, and the beginnings of keys that are put together. */
export interface MessageUse {
  readonly keys: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
}

/**
 * Finds `'section.key'` and `` `section.beginning_${rest}` `` anywhere in the source, not only inside `t(…)`: tables of
 * keys are fine. Only the given sections count, so that other words with a full stop are left alone.
 */
export function findMessageUse(source: string, sections: readonly string[]): MessageUse {
  const section = `(?:${sections.join('|')})`
  const whole = new RegExp(`(['"\`])(${section}\\.\\w+)\\1`, 'g')
  const partial = new RegExp(`\`(${section}\\.\\w*)\\$\\{`, 'g')
  return {
    keys: new Set(Array.from(source.matchAll(whole), (match) => match[2] ?? '')),
    prefixes: new Set(Array.from(source.matchAll(partial), (match) => match[1] ?? '')),
  }
}
