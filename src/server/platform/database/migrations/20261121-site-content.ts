import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The operator's content: information pages, posts, banners and questions, one row each. `texts` has texts by language, `{"en": {"title",
 * "text"}}`. An empty one is a shipped entry with the shipped texts.
 */
export const siteContent: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table content_entry (
      kind text not null check (kind in ('page', 'post', 'banner', 'question')),
      key text not null,
      icon text not null default '',
      link text not null default '',
      sort int4 not null default 0,
      is_published boolean not null default true,
      published_ms int8 not null,
      texts jsonb not null default '{}',
      updated_ms int8 not null,
      primary key (kind, key)
    )`.execute(db)
    await sql`create index content_entry_newest on content_entry (kind, published_ms desc)`.execute(db)
  },
}
