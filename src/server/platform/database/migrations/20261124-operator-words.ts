import { type Kysely, type Migration, sql } from 'kysely'

/** Versions of content edits, announcements, and text overrides of the operator. */
export const operatorWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table content_entry add column version int4 not null default 1`,

  // `texts` has texts by language: {"en": "Deposits are closed tonight."}.
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

  // Null text: it was overridden once and shows the shipped text again.
  `create table text_override (
    language text not null,
    key text not null,
    text text,
    version int4 not null default 1,
    updated_ms int8 not null,
    primary key (language, key)
  )`,
]
