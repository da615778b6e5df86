import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Settings. */
export const settings: BaselineRoom = {
  tables: [
    `-- Settings of the site by key.
    create table setting (
      key text primary key,
      value jsonb not null,
      updated_ms int8 not null,
      version int4 not null default 1
    )`,
  ],
}
