/** Uses of texts in a source file: whole keys, and prefixes of concatenated keys. */
export interface MessageUse {
  readonly keys: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
}

/**
 * Finds `'section.key'` and `` `section.beginning_${rest}` `` anywhere in a source, not only inside `t(…)`, so that
 * tables of keys count. Only the given sections count, so that other texts with a full stop are ignored.
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
