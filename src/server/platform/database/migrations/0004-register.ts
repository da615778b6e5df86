import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- What this installation is. A row is written at the first start, and one for each register that begins again.
  create table log_identity (
    log int4 primary key check (log > 0),
    origin text not null unique,
    mode text not null check (mode in ('demo', 'live')),
    keys text not null,
    made_ms int8 not null
  )`,
  `create function current_log() returns int4 language sql stable as 'select max(log) from log_identity'`,
  `-- The register: one Merkle log. An entry's leaf is SHA-256 of a zero byte and its text (RFC 6962).
  create table register_entry (
    log int4 not null default current_log() references log_identity,
    index int8 not null check (index >= 0),
    kind text not null,
    text text not null check (octet_length(text) <= 60000),
    leaf bytea not null,
    at_ms int8 not null,
    primary key (log, index),
    constraint register_entry_leaf_check check (leaf = sha256('\\x00'::bytea || convert_to(text, 'UTF8')))
  )`,
  `create index register_entry_kind on register_entry (log, kind, index desc)`,
  `-- Full tiles of 256 hashes. The root of a tile is one hash of the level above.
  create table register_tile (
    log int4 not null default current_log() references log_identity,
    level int4 not null,
    index int8 not null,
    hashes bytea not null check (octet_length(hashes) = 8192),
    root bytea not null check (octet_length(root) = 32),
    primary key (log, level, index)
  )`,
  `create table register_checkpoint (
    log int4 not null default current_log() references log_identity,
    size int8 not null check (size > 0),
    root bytea not null check (octet_length(root) = 32),
    at_ms int8 not null,
    note text not null,
    primary key (log, size)
  )`,
  `create table register_cosignature (
    log int4 not null default current_log(),
    size int8 not null,
    name text not null,
    key_id text not null,
    line text not null,
    seconds int8 not null,
    primary key (log, size, name, key_id),
    foreign key (log, size) references register_checkpoint
  )`,
  `-- Entries that wait for the next minute.
  create table register_pending (
    id uuid primary key,
    kind text not null,
    text text not null check (octet_length(text) <= 60000),
    at_ms int8 not null
  )`,
  `-- Who is asked to cosign checkpoints.
  create table register_witness (
    name text primary key,
    verifier_key text not null unique,
    url text not null,
    every_seconds int4 not null check (every_seconds between 10 and 86400),
    run_by text not null,
    is_ours bool not null,
    added_ms int8 not null,
    asked_ms int8,
    size int8,
    problem text not null default ''
  )`,
  `-- Times in which the register may have been shown in a larger state than it has.
  create table register_halt (
    id uuid primary key,
    at_ms int8 not null,
    cause text not null check (cause in ('backup', 'witness')),
    known_size int8,
    ended_ms int8
  )`,
  `-- The entry of the register that holds the root of a batch of receipts.
  create table register_batch (
    log int4 not null default current_log(),
    batch_id uuid not null references receipt_batch,
    index int8 not null,
    primary key (log, batch_id),
    foreign key (log, index) references register_entry
  )`,
  `create index register_batch_index on register_batch (log, index)`,
  `create index receipt_batch_made on receipt_batch (made_ms)`,
]

/** The register of everything that was published, with its checkpoints and witnesses. */
export const register: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
