import { type Kysely, type Migration, sql } from 'kysely'

/** Edits of content that know what they started from, announcements, and texts of ours that the operator changed. */
export const operatorWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table content_entry add column version int4 not null default 1`,

  // `texts` holds words by language: {"en": "Deposits are closed tonight."}.
  `create table announcement (
    id uuid primary key,
    tone text not null check (tone in ('info', 'warn')),
    link text not null default '',
    from_ms int8 not null,
    until_ms int8 not null check (until_ms > from_ms),
    texts jsonb not null default '{}',
    version int4 not null default 1,
    updated_ms int8 not null
  )`,
  `create index announcement_newest on announcement (from_ms desc, id desc)`,
  `create index announcement_until on announcement (until_ms)`,

  // Without a text: it was changed once and says what we ship again.
  `create table text_override (
    language text not null,
    key text not null,
    text text,
    version int4 not null default 1,
    updated_ms int8 not null,
    primary key (language, key)
  )`,
]
