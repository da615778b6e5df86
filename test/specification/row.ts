/** A test that proves a row: its file from the project root, and its title or the beginning of it. */
export interface Proof {
  readonly file: string
  /** As the test runner prints it, with ` > ` between a group and its test. */
  readonly title: string
}

/** One requirement of the product. */
export interface Row {
  /** The route, call, rule or text that the row describes. */
  readonly about: string
  readonly says: string
  readonly proofs: readonly Proof[]
}

/** A chapter of the table. */
export interface Chapter {
  readonly title: string
  readonly rows: readonly Row[]
}

/** Names tests of one file: `const calls = testsIn('src/server/calls.test.ts')`, then `calls('refuses …')`. */
export function testsIn(file: string): (title: string) => Proof {
  return (title) => ({ file, title })
}

export function row(about: string, says: string, ...proofs: readonly Proof[]): Row {
  return { about, says, proofs }
}
