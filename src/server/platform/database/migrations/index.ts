import type { Migration } from 'kysely'
import { baseline } from '#server/platform/database/migrations/0001-baseline.ts'

/** Every migration by name, oldest first. A released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
}
