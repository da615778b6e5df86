import { type AccessCodeRules, accessCodeState, readAccessCode } from '#core/accounts/access-code.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** A stored access code, which a visitor must enter to sign up when the site requires one. */
export interface AccessCode extends AccessCodeRules {
  readonly id: string
  readonly code: string
  readonly label: string
  readonly countries: readonly string[]
  readonly version: number
}

/** A stored code, and how many people have used it. */
interface UsedCode extends AccessCode {
  readonly used: number
}

/**
 * Locks the access code that a visitor typed, until the transaction ends. Returns its id, or null when it cannot be
 * used now. Sign-ups with the same code run one after the other, so no code is used more often than it allows.
 */
export async function lockUsableCode(
  tx: Tx,
  typed: string,
  { countryCode, now }: { readonly countryCode: string; readonly now: Instant },
): Promise<string | null> {
  const code = await lockWhere(tx, 'code', readAccessCode(typed))
  if (code === null || accessCodeState(code, code.used, now) !== 'open') return null
  return code.countries.length === 0 || code.countries.includes(countryCode) ? code.id : null
}

/** Counts the use of a locked code by a new account. */
export async function useAccessCode(
  tx: Tx,
  { codeId, userId, now }: { readonly codeId: string; readonly userId: string; readonly now: Instant },
): Promise<void> {
  await tx
    .updateTable('access_code')
    .set(({ eb }) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', codeId)
    .execute()
  await tx.insertInto('access_code_use').values({ user_id: userId, code_id: codeId, used_ms: now }).execute()
}

/** Finds a code by its id and locks it until the transaction ends. Returns null when no code has the id. */
export async function lockAccessCode(tx: Tx, id: string): Promise<UsedCode | null> {
  return await lockWhere(tx, 'id', id)
}

async function lockWhere(tx: Tx, column: 'id' | 'code', value: string): Promise<UsedCode | null> {
  const row = await tx.selectFrom('access_code').selectAll().where(column, '=', value).forUpdate().executeTakeFirst()
  return row ? { ...toCode(row), used: row.used } : null
}

/** Inserts a new code. Returns false when the code is taken. */
export async function insertAccessCode(
  tx: Tx,
  code: AccessCode,
  { createdBy, now }: { readonly createdBy: string; readonly now: Instant },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('access_code')
    .values({ id: code.id, code: code.code, created_by: createdBy, created_ms: now, ...values(code) })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateAccessCode(tx: Tx, code: AccessCode): Promise<void> {
  await tx.updateTable('access_code').set(values(code)).where('id', '=', code.id).execute()
}

function values({ label, maxUses, from, until, countries, isOn, version }: AccessCode) {
  return {
    label,
    max_uses: maxUses,
    from_ms: from,
    until_ms: until,
    countries: [...countries],
    is_on: isOn,
    version,
  }
}

interface CodeRow {
  readonly id: string
  readonly code: string
  readonly label: string
  readonly max_uses: number | null
  readonly from_ms: bigint
  readonly until_ms: bigint | null
  readonly countries: string[]
  readonly is_on: boolean
  readonly version: number
}

export function toCode(row: CodeRow): AccessCode {
  return {
    id: row.id,
    code: row.code,
    label: row.label,
    maxUses: row.max_uses,
    from: instant(row.from_ms),
    until: row.until_ms === null ? null : instant(row.until_ms),
    countries: row.countries,
    isOn: row.is_on,
    version: row.version,
  }
}
