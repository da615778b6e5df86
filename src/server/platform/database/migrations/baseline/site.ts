import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Pages and texts. */
export const site: BaselineRoom = {
  tables: [
    `-- Announcements. texts holds the text by language.
    create table announcement (
      id uuid primary key,
      tone text not null,
      link text not null default '',
      from_ms int8 not null,
      until_ms int8 not null,
      texts jsonb not null default '{}',
      version int4 not null default 1,
      updated_ms int8 not null,
      constraint announcement_check check (until_ms > from_ms),
      constraint announcement_tone_check check (tone in ('info', 'warn'))
    )`,
    `-- Information pages, posts, banners and questions, one row each. Empty texts stand for the shipped ones.
    create table content_entry (
      kind text not null,
      key text not null,
      icon text not null default '',
      link text not null default '',
      sort int4 not null default 0,
      is_published boolean not null default true,
      published_ms int8 not null,
      texts jsonb not null default '{}',
      updated_ms int8 not null,
      version int4 not null default 1,
      primary key (kind, key),
      constraint content_entry_kind_check check (kind in ('page', 'post', 'banner', 'question'))
    )`,
    `-- Texts that the operator changed. Without a text the shipped one applies again.
    create table text_override (
      language text not null,
      key text not null,
      text text,
      version int4 not null default 1,
      updated_ms int8 not null,
      primary key (language, key)
    )`,
  ],
  indexes: [
    `create index announcement_newest on announcement (from_ms desc, id desc)`,
    `create index announcement_until on announcement (until_ms)`,
    `create index content_entry_newest on content_entry (kind, published_ms desc)`,
  ],
}
