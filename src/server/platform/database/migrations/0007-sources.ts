import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Configurations of the price sources. Each is an entry of the register, and headers of the tick log name it by its hash.
  create table source_version (
    number int4 primary key check (number > 0),
    text text not null,
    hash bytea not null unique,
    seen_ms int8 not null,
    applies_ms int8 not null check (applies_ms >= seen_ms),
    constraint source_version_hash_check check (hash = sha256('\\x00'::bytea || convert_to(text, 'UTF8')))
  )`,
  `create index source_version_applies on source_version (applies_ms)`,
  `-- Certificates that hosts of price sources have shown.
  create table source_peer (
    host text not null,
    spki_sha256 bytea not null,
    issuer text not null,
    subject text not null,
    not_after_ms int8 not null,
    first_ms int8 not null,
    last_ms int8 not null,
    count int8 not null,
    primary key (host, spki_sha256)
  )`,
]

/** The published configurations of the price sources, and the certificates of their hosts. */
export const sources: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
