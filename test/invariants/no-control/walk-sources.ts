import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The two files with the rules that decide a result. */
const SETTLING = [
  'src/core/orders/settle-order.ts',
  'src/core/orders/rules/rule-1.ts',
  'src/core/orders/rules/rule-2.ts',
  'src/core/orders/rules/rules.ts',
  'src/core/orders/rules/source-line.ts',
  'src/core/orders/sale/sale-rule.ts',
]

/**
 * Returns the sources that run in production or beside it. Tests, benchmarks on temporary databases and frozen
 * migrations are excluded.
 */
export function serverSources(): string[] {
  return sourceFiles(['src/server', 'scripts']).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('src/server/platform/database/migrations/'),
  )
}

/** Returns the files of the settlement rules with all their imports. */
export function settlingFiles(): string[] {
  const seen = new Set<string>()
  const todo = [...SETTLING]
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const [, specifier = ''] of readSource(file).matchAll(/from '([^']+)'/g)) {
      todo.push(specifier.replace(/^#/, 'src/'))
    }
  }
  return [...seen].toSorted()
}

export function readSource(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

export const WRITING = /\b(?:insert\s+into|update\s+\$|delete\s+from|merge\s+into|truncate)\b/i

/** Returns which kinds of writes to a table a source contains, by Kysely or in SQL. */
export function writesIn(text: string, table: string): string[] {
  const patterns: Record<string, RegExp> = {
    insert: new RegExp(`insertInto\\('${table}|insert\\s+into\\s+${table}\\b`, 'i'),
    update: new RegExp(
      `(?:updateTable|mergeInto|replaceInto)\\('${table}|(?:update|merge\\s+into)\\s+${table}\\b`,
      'i',
    ),
    delete: new RegExp(`deleteFrom\\('${table}|(?:delete\\s+from|truncate)\\s+${table}\\b`, 'i'),
  }
  return Object.entries(patterns).flatMap(([verb, pattern]) => (pattern.test(text) ? [verb] : []))
}

function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|mjs)$/.test(file))
      .map((file) => `${folder}/${file}`)
      .toSorted(),
  )
}
