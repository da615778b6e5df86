import { z } from 'zod'
import { basisPoints, money } from '#core/money/money.ts'
import type { DepositTerms } from '#core/wallet/deposit-quote.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * A deposit gateway or a withdrawal method, as the operator configured it.
 * Limits and fees are in the gateway's currency for deposits and in the base currency for withdrawals. `rate` is the
 * amount of base currency for one unit.
 */
export interface Gateway extends DepositTerms {
  readonly id: number
  readonly version: number
  readonly name: string
  readonly image: string
  readonly currency: string
  readonly walletAddress: string
  readonly description: string
  readonly form: readonly MethodField[]
  readonly isAutomatic: boolean
  /** How long the quote of a deposit holds. */
  readonly quoteSeconds: number
}

const Form = z.array(
  z.object({
    name: z.string(),
    label: z.string(),
    type: z.string(),
    is_required: z.boolean(),
    hint: z.string().optional(),
    options: z.array(z.string()).optional(),
    max_length: z.number().optional(),
    pictures_only: z.boolean().optional(),
    network: z.string().optional(),
  }),
)

/** Parses the stored form of a gateway or method. Throws when it is malformed. */
export function readForm(stored: unknown): MethodField[] {
  return Form.parse(stored)
}

/** Lists the offered gateways in the operator's order. */
export async function listGateways(db: Db, kind: 'deposit' | 'withdraw'): Promise<Gateway[]> {
  const rows = await db
    .selectFrom('gateway')
    .selectAll()
    .where('kind', '=', kind)
    .where('is_offered', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
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
  }))
}

export async function findGateway(db: Db, kind: 'deposit' | 'withdraw', id: number): Promise<Gateway | null> {
  return (await listGateways(db, kind)).find((gateway) => gateway.id === id) ?? null
}

/**
 * Finds the method of a request. Refuses it when the method has changed since the user saw it: the user may have sent
 * money to the address that was shown. `version` is null when the client does not say what the user saw.
 */
export async function findSeenGateway(
  db: Db,
  kind: 'deposit' | 'withdraw',
  { id, version }: { readonly id: number; readonly version: number | null },
): Promise<Result<Gateway, 'gateway_unknown' | 'gateway_changed'>> {
  const gateway = await findGateway(db, kind, id)
  if (gateway === null) return refuse('gateway_unknown')
  return version === null || version === gateway.version ? ok(gateway) : refuse('gateway_changed')
}

/** Finds the form of each of these gateways, including gateways that are no longer offered. */
export async function findForms(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly MethodField[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('gateway')
    .select(['id', 'form'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, form }) => [id, readForm(form)]))
}
