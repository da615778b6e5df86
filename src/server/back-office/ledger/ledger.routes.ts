import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { TransferRow } from '#contract/back-office/ledger.ts'
import { money, moneyNumber, moneyText } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { readPeriod } from '#server/platform/database/period.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { readSavedCheck, type SavedCheck } from '#server/ledger/reconciliation/save-result.ts'
import { type LedgerRow, newestTransfers, placeOf } from '#server/back-office/ledger/newest-transfers.queries.ts'
import { findSubject, subjectOf, transfersOf } from '#server/back-office/ledger/ledger.queries.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'

interface StaffLedgerParts {
  readonly ctx: Ctx
  /** Reconciles the whole ledger. A difference blocks new orders, as in the periodic job. */
  readonly checkLedgerNow: () => Promise<unknown>
}

/** Registers the calls that show the ledger: totals, transfers and reconciliation. */
export function staffLedgerRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, checkLedgerNow }: StaffLedgerParts,
): void {
  let isChecking = false
  register(staffCalls.staffLedger, async () => {
    const saved = await readSavedCheck(ctx.db)
    return ok({ is_checking: isChecking, report: saved && toReport(saved) })
  })
  register(staffCalls.staffCheckLedger, async ({ actor }) => {
    await recordAction(ctx.db, ctx, actor, { target: 'ledger', outcome: 'looked' })
    if (!isChecking) void check()
    return ok(null)
  })
  async function check(): Promise<void> {
    isChecking = true
    try {
      await checkLedgerNow()
    } catch (error) {
      ctx.log.error({ err: error }, 'cannot run the requested reconciliation')
    }
    isChecking = false
    ctx.publish({ kind: 'back-office-changed', area: 'ledger' })
  }

  registerList(staffCalls.staffTransfers, async ({ filters: { user, kind, account, ref, from, to }, after, limit }) => {
    const userId = user === undefined ? null : await findUserId(ctx.db, user)
    const subject = ref === undefined ? null : await findSubject(ctx.db, ref)
    if ((user !== undefined && userId === null) || (ref !== undefined && subject === null)) return []
    const period = readPeriod({ from, to })
    const filters = { userId, kind: kind ?? null, account: account ?? null, subject, period }
    const rows = await newestTransfers(ctx.db, filters, { after, limit })
    return rows.map((row) => ({ row: toRow(row), cursor: placeOf(row) }))
  })
  register(staffCalls.staffTransfersOf, async ({ params: { user_id: userId, ref } }) => {
    const rows = await transfersOf(ctx.db, userId, ref)
    if (rows.length === 0) return refuse('not_found')
    const subject = await subjectOf(ctx.db, userId, ref)
    return ok({ about: subject && { kind: subject.kind, trx: subject.trx }, transfers: rows.map(toRow) })
  })
}

function toRow(row: LedgerRow): TransferRow {
  return {
    at: toIso(instant(row.created_ms)),
    user_id: row.user_id,
    username: row.username,
    kind: row.kind,
    step: row.step,
    from_account: row.from_account,
    to_account: row.to_account,
    amount: moneyNumber(money(row.amount)),
    currency: row.currency,
    ref: row.ref,
  }
}

function toReport(saved: SavedCheck) {
  return {
    checked_at: toIso(saved.checkedAt),
    took_ms: saved.tookMs,
    whole_at: toIso(saved.sums?.wholeAt ?? saved.checkedAt),
    sums_until: saved.sums && toIso(saved.sums.until),
    is_clean: saved.clean,
    users: saved.users,
    transfers: saved.transfers,
    open_orders: saved.openOrders,
    sum_of_all: moneyNumber(money(saved.sumOfAll)),
    accounts: saved.accounts
      .map(([account, total]) => ({ account, total: moneyNumber(money(total)) }))
      .toSorted((a, b) => (a.account < b.account ? -1 : 1)),
    unknown_accounts: saved.unknownAccounts,
    mismatches: saved.mismatches.map(({ userId, what, cached, counted }) => ({
      user_id: userId,
      what,
      // `open_orders` is a count, all other values are amounts.
      cached: what === 'open_orders' ? String(cached) : moneyText(money(cached)),
      counted: what === 'open_orders' ? String(counted) : moneyText(money(counted)),
    })),
  }
}
