import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute of one core: started last, everything else would wait for them. */
const LONGEST = ['sim/simulate.test.ts', 'sim/strategies/latency-arbitrage.test.ts', 'src/server/app/crash.test.ts']

/**
 * The order of test files: project by project, as files that share a process can only share it within one, and in each the
 * longest first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name)
    // oxlint-disable-next-line unicorn/no-array-sort -- no array: the sequencer's own
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || rank(a) - rank(b),
    )
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name))
  return place === -1 ? LONGEST.length : place
}
