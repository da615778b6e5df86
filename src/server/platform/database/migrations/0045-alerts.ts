import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Rules that an owner changed. All others have their shipped values.
  create table alert_rule (
    rule text primary key,
    is_on boolean not null,
    severity text not null check (severity in ('wake', 'today')),
    roles text[] not null,
    threshold int8 not null check (threshold >= 0),
    version int4 not null
  )`,
  `create table alert (
    id uuid primary key,
    rule text not null,
    key text not null,
    severity text not null check (severity in ('wake', 'today')),
    facts jsonb not null,
    opened_ms int8 not null,
    closed_ms int8,
    -- Null when the alert closed by itself.
    closed_by uuid references staff,
    taken_ms int8,
    taken_by uuid references staff,
    words text not null default '',
    -- How often channels were told, and when they are told the next time.
    sent int4 not null default 0,
    next_ms int8,
    check (closed_by is null or closed_ms is not null),
    check ((taken_by is null) = (taken_ms is null))
  )`,
  `create unique index alert_open on alert (rule, key) where closed_ms is null`,
  `create index alert_by_key on alert (rule, key, opened_ms)`,
  `create index alert_by_time on alert ((case when closed_ms is null then 1 else 0 end), opened_ms, id)`,
  `create index alert_due on alert (next_ms) where next_ms is not null`,
  `-- Webhooks of a staff member. Address and signing secret are encrypted together, because many addresses are secret too.
  create table alert_channel (
    id uuid primary key,
    staff_id uuid not null references staff,
    sealed text not null,
    -- What the pages show: the host, and the end of the secret.
    host text not null,
    hint text not null,
    created_ms int8 not null
  )`,
  `create index alert_channel_of on alert_channel (staff_id, created_ms)`,
  `-- Staff members who turned the mails about alerts off or on again.
  create table alert_mail (staff_id uuid primary key references staff, is_on boolean not null)`,
  `create table alert_delivery (
    id uuid primary key,
    alert_id uuid not null references alert on delete cascade,
    staff_id uuid not null references staff,
    -- Null for a mail.
    channel_id uuid references alert_channel on delete cascade,
    created_ms int8 not null,
    tries int4 not null default 0,
    next_ms int8,
    done_ms int8,
    failure text not null default ''
  )`,
  `create index alert_delivery_of on alert_delivery (alert_id, created_ms)`,
  `create index alert_delivery_by_channel on alert_delivery (channel_id)`,
  `create index alert_delivery_due on alert_delivery (next_ms) where next_ms is not null`,
]

/** Alerts to staff: their rules, the channels, and the messages that are due. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
