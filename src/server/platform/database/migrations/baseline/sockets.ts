import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Delivery of results. */
export const sockets: BaselineRoom = {
  tables: [
    `-- Which results a user has seen: all up to a number, and some beyond it.
    create table result_seen (
      user_id uuid primary key,
      until_number int8 not null,
      beyond int8[] not null
    ) with (fillfactor=70)`,
  ],
}
