import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take a minute of one core. If these files started last, the whole run would wait for them. */
const SLOW_FILES = ['sim/simulate.test.ts', 'sim/strategies/latency-arbitrage.test.ts', 'src/server/app/crash.test.ts']

/**
 * Orders test files by project, because only files of one project can share a process. In each project, the longest
 * files come first.
 */
export class SlowTestsFirst extends BaseSequencer {
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
  const place = SLOW_FILES.findIndex((name) => moduleId.endsWith(name))
  return place === -1 ? SLOW_FILES.length : place
}
