import { sql } from 'kysely'
import { basisPoints, money } from '#core/money/money.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { type Gateway, readForm } from '#server/payments/gateways/list-gateways.ts'

/** A gateway or method with the fields that only staff see. It may be off (not offered to users). */
export interface StaffGateway extends Gateway {
  readonly kind: 'deposit' | 'withdraw'
  readonly isOffered: boolean
  readonly sort: number
  readonly version: number
}

export type GatewayContent = Omit<StaffGateway, 'id' | 'kind' | 'version'>

const BY_POSITION: Keyset = {
  columns: [
    ['sort', 'int4'],
    ['id', 'int4'],
  ],
  order: 'asc',
}

export async function listStaffGateways(
  db: Db,
  kind: 'deposit' | 'withdraw' | undefined,
  page: Page,
): Promise<StaffGateway[]> {
  const gateways = db
    .selectFrom('gateway')
    .selectAll()
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? ''))
  return (await pageAfter(gateways, BY_POSITION, page).execute()).map(toGateway)
}

export async function findStaffGateway(db: Db, id: number): Promise<StaffGateway | null> {
  const row = await db.selectFrom('gateway').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toGateway(row) : null
}

export async function lockGateway(tx: Tx, id: number): Promise<StaffGateway | null> {
  const row = await tx.selectFrom('gateway').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toGateway(row) : null
}

export async function updateGateway(tx: Tx, id: number, content: GatewayContent, version: number): Promise<void> {
  await tx
    .updateTable('gateway')
    .set({ ...toRow(content), version })
    .where('id', '=', id)
    .execute()
}

/**
 * Inserts a gateway and returns its id, which follows the highest existing id. Gateways are never deleted, so ids are
 * not reused.
 */
export async function insertGateway(tx: Tx, kind: 'deposit' | 'withdraw', content: GatewayContent): Promise<number> {
  // The lock prevents that two staff members who add gateways at the same time get the same id.
  await sql`lock table gateway in share row exclusive mode`.execute(tx)
  const { last } = await tx
    .selectFrom('gateway')
    .select((from) => from.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const id = (last ?? 0) + 1
  await tx
    .insertInto('gateway')
    .values({ id, kind, ...toRow(content) })
    .execute()
  return id
}

type Row = Awaited<ReturnType<typeof selectOne>>
const selectOne = (db: Db) => db.selectFrom('gateway').selectAll().executeTakeFirstOrThrow()

function toGateway(row: Row): StaffGateway {
  return {
    id: row.id,
    kind: row.kind === 'withdraw' ? 'withdraw' : 'deposit',
    name: row.name,
    image: row.image,
    currency: row.currency,
    minimum: money(row.min_amount),
    maximum: money(row.max_amount),
    fixedCharge: money(row.fixed_charge),
    percentCharge: basisPoints(row.percent_charge_basis_points),
    rate: row.rate_millionths,
    walletAddress: row.wallet_address,
    description: row.description,
    form: readForm(row.form),
    isAutomatic: row.is_automatic,
    quoteSeconds: row.quote_seconds,
    isOffered: row.is_offered,
    sort: row.sort,
    version: row.version,
  }
}

function toRow(content: GatewayContent) {
  return {
    name: content.name,
    image: content.image,
    currency: content.currency,
    min_amount: content.minimum,
    max_amount: content.maximum,
    fixed_charge: content.fixedCharge,
    percent_charge_basis_points: content.percentCharge,
    rate_millionths: content.rate,
    wallet_address: content.walletAddress,
    description: content.description,
    form: JSON.stringify(content.form),
    is_automatic: content.isAutomatic,
    quote_seconds: content.quoteSeconds,
    is_offered: content.isOffered,
    sort: content.sort,
  }
}
