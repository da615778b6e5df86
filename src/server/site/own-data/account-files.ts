import { sql } from 'kysely'
import { uidOf } from '#core/accounts/uid.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { USER_STEPS } from '#core/wallet/withdrawal-state.ts'
import { openDetails, withdrawalPlace } from '#server/platform/encryption/sealed-details.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { findDetails } from '#server/payments/withdrawals/saved-details.queries.ts'
import { csvLine } from '#server/platform/http/csv.ts'
import { type DataFile, jsonFile, type ExportParts, SCHEMA } from '#server/site/own-data/data-file.ts'
import { amountOf, ARRIVED, isoOf, priceOf, rowFile } from '#server/site/own-data/row-files.ts'

const isoTime = (ms: bigint | null) => (ms === null ? null : toIso(instant(ms)))

/**
 * Returns the README of a data copy. It explains the files in the language of the user, and lists them with their
 * schema versions.
 */
export function readmeOf(files: readonly DataFile[]): DataFile {
  const list = files.map(({ name }) => `${name}: ${SCHEMA}`)
  return {
    name: 'README.txt',
    step: async ({ ctx }, { userId, language }) => {
      const text = message('message.own_data', language, { uid: uidOf(userId), time: toIso(ctx.now()), schema: SCHEMA })
      return { content: [text, '', ...list, ''].join('\r\n'), next: null }
    },
  }
}

export const profile = jsonFile('profile', async ({ ctx }, { userId }) => {
  const row = await ctx.db
    .selectFrom('app_user')
    .select(['id', 'username', 'email', 'mobile', 'mobile_code', 'country_code', 'firstname', 'lastname', 'address'])
    .select(['language', 'invitation_code', 'verified', 'proven_email', 'proven_mobile', 'created_ms'])
    .select(['age_declared_ms', 'age_minimum', 'image_path'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { created_ms, age_declared_ms, ...rest } = row
  const countries = await ctx.db
    .selectFrom('user_country_since')
    .select(['country', 'since_ms'])
    .where('user_id', '=', userId)
    .orderBy('since_ms')
    .execute()
  const favorites = await ctx.db
    .selectFrom('favorite as f')
    .innerJoin('market_symbol as s', 's.id', 'f.symbol_id')
    .select('s.code')
    .where('f.user_id', '=', userId)
    .orderBy('s.code')
    .execute()
  return {
    profile: {
      ...rest,
      uid: uidOf(userId),
      created_at: isoTime(created_ms),
      age_declared_at: isoTime(age_declared_ms),
      countries: countries.map(({ country, since_ms }) => ({ country, since: isoTime(since_ms) })),
      favorites: favorites.map(({ code }) => code),
    },
  }
})

export const consents = jsonFile('consents', async ({ ctx }, { userId }) => {
  const { rows } = await sql<{ at_ms: bigint; text: string }>`
    select c.version, c.language, c.sha256, c.how, c.at_ms, v.texts -> c.language ->> 'title' as title,
      v.texts -> c.language ->> 'text' as text
    from consent c join terms_version v on v.id = c.version where c.user_id = ${userId} order by c.version`.execute(
    ctx.db,
  )
  return { consents: rows.map(({ at_ms, ...row }) => ({ ...row, at: isoTime(at_ms) })) }
})

export const signIns = rowFile({
  name: 'sign-ins.csv',
  columns: {
    at: isoOf('t.at_ms'),
    how: sql`t.how`,
    succeeded: sql`t.went_in`,
    new_device: sql`t.is_new_device`,
    browser: sql`t.user_agent`,
    address: sql`t.address`,
    country: sql`t.country`,
  },
  from: sql`sign_in t`,
})

/** Sessions, known devices, passkeys, API keys, and devices that show notices, all without their secrets. */
export const devices = jsonFile('devices', async ({ ctx }, { userId }) => {
  const sessions = await ctx.db
    .selectFrom('session')
    .select(['created_ms', 'seen_ms', 'expires_ms', 'user_agent', 'ip'])
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .execute()
  const known = await ctx.db
    .selectFrom('known_device')
    .select(['created_ms', 'seen_ms'])
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .execute()
  const passkeys = await ctx.db
    .selectFrom('user_passkey')
    .select(['name', 'created_ms', 'used_ms'])
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .execute()
  const keys = await ctx.db
    .selectFrom('api_key')
    .select(['id', 'name', 'scope', 'addresses', 'created_ms', 'expires_ms', 'end_reason', 'ended_ms', 'used_ms'])
    .select(['used_address', 'used_client', 'networks', 'max_stake', 'max_stake_day', 'max_open_orders'])
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .execute()
  const push = await rowsOf(
    { ctx },
    'push_subscription',
    ['created_ms', 'seen_ms', 'delivered_ms', 'amounts', 'zone', 'quiet_from', 'quiet_to'],
    userId,
  )
  return {
    sessions: sessions.map(withTimes),
    known_devices: known.map(withTimes),
    passkeys: passkeys.map(withTimes),
    keys: keys.map(withTimes),
    notices_on: push.map(withTimes),
    notice_topics: await rowsOf({ ctx }, 'notice_push', ['topic', 'is_on'], userId),
  }
})

export const deposits = rowFile({
  name: 'deposits.csv',
  columns: {
    reference: sql`t.trx`,
    created_at: isoOf('t.created_ms'),
    decided_at: isoOf('t.decided_ms'),
    state: sql`t.state`,
    method: sql`g.name`,
    currency: sql`t.currency`,
    amount: sql`(t.amount::numeric / 100)::numeric(30, 2)::text`,
    credited: amountOf('t.credited'),
    arrived: ARRIVED,
    shown_address: sql`t.wallet_address`,
    fields: sql`t.fields`,
    files: sql`t.files`,
    words: sql`t.feedback`,
  },
  from: sql`deposit t join gateway g on g.id = t.gateway_id`,
})

const WITHDRAWAL_COLUMNS = ['reference', 'created_at', 'decided_at', 'state', 'method', 'amount', 'charge', 'paid_out']
const PER_STEP = 500

/** Withdrawals with their steps, and with the payment details of each withdrawal. */
export const withdrawals: DataFile = {
  name: 'withdrawals.csv',
  async step({ ctx }, { userId }, place) {
    const { rows } = await sql<{ id: string; details: unknown } & Record<string, unknown>>`
      select t.id::text, t.details, t.trx as reference, ${isoOf('t.created_ms')} as created_at,
        ${isoOf('t.decided_ms')} as decided_at, t.state, g.name as method,
        ${amountOf('t.amount')} as amount, ((t.percent_charge + t.fixed_charge)::numeric / 100)::numeric(30, 2)::text as charge,
        (t.paid_out::numeric / 100)::numeric(30, 2)::text as paid_out, t.currency, t.reference as payment_reference, ${isoOf('t.returned_ms')} as returned_at,
        coalesce((select e.words from payment_event e where e.user_id = t.user_id and e.subject = t.id and e.words <> ''
          order by e.seq desc limit 1), t.feedback) as words,
        (select string_agg(e.step || ' ' || ${isoOf('e.at_ms')}, '; ' order by e.seq) from payment_event e
          where e.user_id = t.user_id and e.subject = t.id and e.step = any(${[...USER_STEPS]}::text[])) as steps
      from withdrawal t join gateway g on g.id = t.gateway_id
      where t.user_id = ${userId}::uuid and (${place}::uuid is null or t.id > ${place}::uuid)
      order by t.id limit ${PER_STEP}`.execute(ctx.db)
    const columns = [...WITHDRAWAL_COLUMNS, 'currency', 'payment_reference', 'returned_at', 'words', 'steps']
    const head = place === null ? `\uFEFF${csvLine(['schema', ...columns, 'details'])}` : ''
    const lines = rows.map((row) =>
      csvLine([
        SCHEMA,
        ...columns.map((column) => row[column]),
        openDetails(ctx.vault, row.details, withdrawalPlace(userId, row.id)),
      ]),
    )
    return { content: head + lines.join(''), next: rows.length < PER_STEP ? null : (rows.at(-1)?.id ?? null) }
  },
}

export const paymentDetails = jsonFile('payment-details', async ({ ctx }, { userId }) => {
  const saved = await findDetails(ctx.db, ctx.vault, userId)
  const gateways = await ctx.db.selectFrom('gateway').select(['id', 'name']).execute()
  return {
    methods: [...saved].map(([id, details]) => ({ method: gateways.find((one) => one.id === id)?.name, details })),
  }
})

/** The user's limits, all changes of limits with their outcomes, and breaks with the requests to end them. */
export const limits = jsonFile('limits', async ({ ctx }, { userId }) => ({
  in_force: (await rowsOf({ ctx }, 'self_limit', ['key', 'amount', 'since_ms'], userId)).map(withTimes),
  changes: (
    await rowsOf(
      { ctx },
      'self_limit_change',
      ['id', 'key', 'from_amount', 'to_amount', 'direction', 'asked_ms', 'ready_ms', 'lapses_ms'],
      userId,
    )
  ).map(withTimes),
  ends: (await rowsOf({ ctx }, 'self_limit_change_end', ['id', 'outcome', 'at_ms'], userId)).map(withTimes),
  breaks: (await rowsOf({ ctx }, 'self_break', ['id', 'kind', 'length', 'from_ms', 'until_ms', 'words'], userId)).map(
    withTimes,
  ),
  returns: (await rowsOf({ ctx }, 'self_return', ['break_id', 'asked_ms', 'confirmed_ms'], userId)).map(withTimes),
}))

/** Settings and drawings of the chart. */
export const chart = jsonFile('chart', async ({ ctx }, { userId }) => ({
  chart: await rowsOf({ ctx }, 'user_desk', ['product', 'content'], userId),
}))

export const notices = jsonFile('notices', async ({ ctx }, { userId }) => ({
  notices: (await rowsOf({ ctx }, 'notice', ['id', 'kind', 'data', 'at_ms', 'read_ms'], userId)).map(withTimes),
}))

/** Price alerts, including alerts that have fired or expired. */
export const alerts = rowFile({
  name: 'price-alerts.csv',
  columns: {
    set_at: isoOf('t.created_ms'),
    symbol: sql`s.code`,
    kind: sql`t.kind`,
    level: priceOf('t.level'),
    percent: sql`trim_scale(t.move::numeric / 100)::text`,
    repeats: sql`t.repeats`,
    until: isoOf('t.expires_ms'),
    note: sql`t.note`,
    state: sql`t.state`,
    fired_at: isoOf('t.fired_time_ms'),
    fired_price: priceOf('t.fired_price'),
    fired_tick: sql`t.fired_seq::text`,
  },
  from: sql`price_alert t join market_symbol s on s.id = t.symbol_id`,
})

/**
 * The texts that staff wrote to the user, the recoveries of the account and, where the site's settings include them,
 * the internal notes of staff.
 */
export const staffWords = jsonFile('staff-words', async ({ ctx, settings }, { userId }) => {
  const { verification_reason: verification } = await ctx.db
    .selectFrom('app_user')
    .select('verification_reason')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const measures = await rowsOf(
    { ctx },
    'user_measure',
    ['id', 'kind', 'value', 'reason', 'since_ms', 'until_ms', 'ended_ms'],
    userId,
  )
  const adjustments = await rowsOf(
    { ctx },
    'correction',
    ['trx', 'kind', 'amount', 'state', 'message', 'asked_ms', 'decided_ms', 'posted_ms'],
    userId,
  )
  const decided = async (table: 'deposit' | 'withdrawal') =>
    (await rowsOf({ ctx }, table, ['trx', 'decided_ms', 'feedback'], userId)).filter(({ feedback }) => feedback !== '')
  const notes = settings.current.notesInData ? await rowsOf({ ctx }, 'user_note', ['written_ms', 'text'], userId) : []
  const remarks = settings.current.notesInData ? await remarksAbout({ ctx }, userId) : []
  // The evidence of a recovery is left out, because it would help a thief to answer the questions of support.
  const recoveries = await rowsOf(
    { ctx },
    'account_recovery',
    ['id', 'lost', 'state', 'asked_ms', 'opens_ms', 'ended_ms'],
    userId,
  )
  return {
    verification,
    measures: measures.map(withTimes),
    adjustments: adjustments.map(withTimes),
    deposits: (await decided('deposit')).map(withTimes),
    withdrawals: (await decided('withdrawal')).map(withTimes),
    notes: [...notes, ...remarks].map(withTimes),
    recoveries: recoveries.map(withTimes),
  }
})

/** The notes of staff on deposits, withdrawals, adjustments and tickets of the user. */
async function remarksAbout({ ctx }: Pick<ExportParts, 'ctx'>, userId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select r.subject, r.at_ms, r.text from staff_remark r where r.subject in (
      select trx from deposit where user_id = ${userId} union all select trx from withdrawal where user_id = ${userId}
      union all select id::text from correction where user_id = ${userId}
      union all select no from ticket where user_id = ${userId}) order by r.at_ms, r.id`.execute(ctx.db)
  return rows
}

type RowTable =
  | 'push_subscription'
  | 'notice_push'
  | 'user_desk'
  | 'self_limit'
  | 'self_limit_change'
  | 'self_limit_change_end'
  | 'self_break'
  | 'self_return'
  | 'notice'
  | 'user_measure'
  | 'account_recovery'
  | 'correction'
  | 'deposit'
  | 'withdrawal'
  | 'user_note'

/** Reads the given columns of the user's rows in a table, sorted by the first column. */
async function rowsOf(
  { ctx }: Pick<ExportParts, 'ctx'>,
  table: RowTable,
  columns: readonly [string, ...string[]],
  userId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where user_id = ${userId} order by ${sql.ref(columns[0])}`.execute(ctx.db)
  return rows
}

/** Converts times to ISO 8601: `asked_ms` becomes `asked_at`, and `at_ms` becomes `at`. Amounts stay in cents. */
function withTimes(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'bigint') return [name.replace(/_ms$/, '_at'), value]
      if (!name.endsWith('_ms')) return [name, Number(value)]
      return [name === 'at_ms' ? 'at' : name.replace(/_ms$/, '_at'), isoTime(value)]
    }),
  )
}
