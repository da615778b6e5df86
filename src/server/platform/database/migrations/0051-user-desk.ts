import { type Kysely, type Migration, sql } from 'kysely'

/** Settings and drawings of the chart, which all devices of a user share. */
export const userDesk: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `-- The settings of the chart (product '') and the drawings of each symbol. The version rises with each change, so
        -- that a device with an older one has to read first.
        create table user_desk (
          user_id uuid not null references app_user,
          product text not null,
          version int4 not null default 1,
          content jsonb not null,
          primary key (user_id, product),
          constraint user_desk_size_check check (octet_length(content::text) <= 65536)
        )`,
      )
      .execute(db)
  },
}
