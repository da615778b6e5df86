import { ALL, type TermsChange, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import type { Instant } from '#core/time/instant.ts'

/**
 * All announced trade terms. For each part and subject, the entry with the greatest number among all that have started
 * is in force. So an entry that starts no later than an entry with a smaller number replaces that entry before it ever
 * takes effect.
 */
export class TermsHistory {
  readonly newest: TermsChange | null
  readonly #all: readonly TermsChange[]
  /**
   * Entries by part and subject, in the order in which they take effect. Entries that another replaced before are left
   * out.
   */
  readonly #steps: ReadonlyMap<TermsPart, ReadonlyMap<string, readonly TermsChange[]>>
  /** The moments at which any part changes, ascending. */
  readonly #moments: readonly Instant[]

  /** `entries` are all entries, ordered by number. */
  constructor(entries: readonly TermsChange[]) {
    this.newest = entries.at(-1) ?? null
    this.#all = entries
    const byPart = new Map<TermsPart, Map<string, TermsChange[]>>()
    for (const entry of entries) {
      const subjects = byPart.get(entry.what) ?? new Map<string, TermsChange[]>()
      byPart.set(entry.what, subjects)
      const list = subjects.get(entry.of)
      if (list === undefined) subjects.set(entry.of, [entry])
      else list.push(entry)
    }
    this.#steps = new Map(
      [...byPart].map(([what, subjects]) => [
        what,
        new Map([...subjects].map(([of, list]) => [of, stepsOf(what, list)])),
      ]),
    )
    this.#moments = [...new Set(entries.map(({ appliesAt }) => appliesAt))].toSorted((a, b) => a - b)
  }

  /** Returns the entry with the number `n`. Null when there is none. */
  byNumber(n: number): TermsChange | null {
    return this.#all[n - 1] ?? null
  }

  inForce(what: TermsPart, of: string, at: Instant): TermsChange | null {
    return this.steps(what, of).findLast(({ appliesAt }) => appliesAt <= at) ?? null
  }

  /** Lists announced changes that will take effect after `at`, soonest first. */
  coming(what: TermsPart, of: string, at: Instant): readonly TermsChange[] {
    return this.steps(what, of).filter(({ appliesAt }) => appliesAt > at)
  }

  /** Lists the entries that were or will be in force, in the order in which they take effect. */
  steps(what: TermsPart, of: string): readonly TermsChange[] {
    return this.#steps.get(what)?.get(of) ?? []
  }

  subjects(what: TermsPart): readonly string[] {
    return [...(this.#steps.get(what)?.keys() ?? [])]
  }

  /** The next moment after `at` at which any part changes. Infinity when nothing is announced. */
  nextChange(at: Instant): number {
    return this.#moments.find((moment) => moment > at) ?? Number.POSITIVE_INFINITY
  }

  /** The newest moment up to `at` at which any part changed. Zero before the first. */
  lastChange(at: Instant): number {
    return this.#moments.findLast((moment) => moment <= at) ?? 0
  }

  /** The notice in force. Never shorter than `minimumMs`, which the mode of the installation fixes. */
  noticeMs(at: Instant, minimumMs: number): number {
    return Math.max(minimumMs, Number(this.inForce('notice', ALL, at)?.value ?? 0))
  }
}

/**
 * Leaves only the entries that were or will be in force, of the entries about one subject. Pauses of sales never
 * replace each other.
 */
function stepsOf(what: TermsPart, entries: readonly TermsChange[]): readonly TermsChange[] {
  const steps: TermsChange[] = []
  for (const entry of entries.toSorted((a, b) => a.appliesAt - b.appliesAt || b.n - a.n)) {
    if (what === 'sale_pause' || entry.n > (steps.at(-1)?.n ?? 0)) steps.push(entry)
  }
  return steps
}
