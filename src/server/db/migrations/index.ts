import type { Migration } from 'kysely'
import { mainJob } from '#server/db/migrations/20261121-main-job.ts'

/** Every migration by name, oldest first. A migration is frozen the day it merges. */
export const migrations: Record<string, Migration> = {
  '20261121-main-job': mainJob,
}
