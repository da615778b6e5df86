import type { Found, FoundKind } from '#contract/back-office/find.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok } from '#core/result.ts'
import { isAllowed, type Permission, type Role } from '#core/staff/permissions.ts'
import { visibleKinds } from '#core/tickets/ticket-rules.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { findDeposits, findOrders, findWithdrawals, MAX_FOUND } from '#server/back-office/find/find.queries.ts'
import { listSymbols } from '#server/back-office/markets/symbols.queries.ts'
import { findTickets } from '#server/back-office/tickets/tickets.queries.ts'
import { listUsers } from '#server/back-office/users/users.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'

const FIRST = { after: null, limit: MAX_FOUND }

/** For each kind of result: the permission that it needs, and the function that finds the results. */
const FINDERS: readonly {
  readonly kind: FoundKind
  readonly may: Permission
  readonly find: (db: Db, text: string, role: Role) => Promise<Found[]>
}[] = [
  { kind: 'user', may: 'users.see', find: findUsers },
  { kind: 'order', may: 'orders.see', find: findOrders },
  { kind: 'deposit', may: 'deposits.see', find: findDeposits },
  { kind: 'withdrawal', may: 'withdrawals.see', find: findWithdrawals },
  { kind: 'ticket', may: 'tickets.see', find: findTicketsFor },
  { kind: 'symbol', may: 'markets.see', find: findSymbols },
]

/**
 * Registers the search over users, payments, orders, tickets and symbols. The search reads no records that the role may
 * not see. So neither the results nor the duration of the call depend on such records.
 */
export function findRoutes(register: RegisterStaff, { ctx }: { readonly ctx: Ctx }): void {
  register(staffCalls.staffFind, async ({ query: { q }, staff: { role } }) => {
    const groups: { kind: FoundKind; items: Found[] }[] = []
    for (const { kind, may, find } of FINDERS) {
      const items = isAllowed(role, may) ? await find(ctx.db, q, role) : []
      if (items.length > 0) groups.push({ kind, items })
    }
    return ok({ groups })
  })
}

async function findUsers(db: Db, text: string): Promise<Found[]> {
  const users = await listUsers(db, { search: text }, FIRST)
  return users.map(({ id, username, email, mobileCode, mobile }) => ({
    id,
    title: username,
    line: email ?? `${mobileCode} ${mobile}`,
  }))
}

async function findSymbols(db: Db, text: string): Promise<Found[]> {
  const all = { marketType: null, isListed: null, listedIds: [], search: text }
  const symbols = await listSymbols(db, all, FIRST)
  return symbols.map(({ code, name }) => ({ id: code, title: code, line: name }))
}

function findTicketsFor(db: Db, text: string, role: Role): Promise<Found[]> {
  return findTickets(db, text, { kinds: visibleKinds(role), limit: MAX_FOUND })
}
