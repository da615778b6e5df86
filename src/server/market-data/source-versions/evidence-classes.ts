import type { SourceClass } from '#core/markets/source-class.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import {
  configurationOf,
  readSourceVersions,
  type SourceVersion,
} from '#server/market-data/source-versions/source-versions.queries.ts'

/** The classes of the sources of each symbol, by the published configuration. */
export interface EvidenceClasses {
  classOf(symbolId: number, source: string, at: Instant): SourceClass
}

/** Reads the configuration in force and the newest one, which may be announced. */
export async function readEvidenceClasses(db: Db, now: Instant): Promise<EvidenceClasses> {
  const { inForce, newest } = await readSourceVersions(db, now)
  const before = classesOf(inForce)
  const after = newest === null || newest.number === inForce?.number ? before : classesOf(newest)
  const changesAt = newest?.appliesAt ?? now
  return {
    classOf(symbolId, source, at) {
      const [first, second] = at >= changesAt ? [after, before] : [before, after]
      const name = `${symbolId} ${source}`
      return first.get(name) ?? second.get(name) ?? 'none'
    },
  }
}

function classesOf(version: SourceVersion | null): ReadonlyMap<string, SourceClass> {
  if (version === null) return new Map()
  return new Map(
    configurationOf(version).symbols.flatMap(({ id, sources }) =>
      sources.map((source) => [`${id} ${source.provider}`, source.class] as const),
    ),
  )
}
