/** The roles of staff members. Each staff member has one. */
export const ROLES = ['owner', 'finance', 'support', 'markets', 'content', 'compliance'] as const
export type Role = (typeof ROLES)[number]

/**
 * The roles that hold each permission. Every back-office call names one permission and refuses all other roles. There
 * is no permission to change a price, a result or one user's payout, because no role may change them.
 */
export const PERMISSIONS = {
  'dashboard.see': ['owner', 'finance', 'support', 'markets', 'content', 'compliance'],
  'users.see': ['owner', 'finance', 'support', 'compliance'],
  'users.manage': ['owner', 'support'],
  'users.limit': ['owner', 'finance'],
  'users.exclude': ['owner', 'support'],
  'records.open': ['owner'],
  'corrections.see': ['owner', 'finance'],
  'corrections.decide': ['owner', 'finance'],
  'recovery.see': ['owner', 'support', 'compliance'],
  'recovery.ask': ['owner', 'support'],
  'recovery.confirm': ['owner', 'compliance'],
  'deposits.see': ['owner', 'finance', 'support', 'compliance'],
  'deposits.decide': ['owner', 'finance'],
  'arrivals.see': ['owner', 'finance', 'support'],
  'arrivals.assign': ['owner', 'finance'],
  'withdrawals.see': ['owner', 'finance', 'support', 'compliance'],
  'withdrawals.decide': ['owner', 'finance'],
  'withdrawals.pay': ['owner', 'finance'],
  'withdrawals.take_over': ['owner'],
  'payments.export': ['owner', 'finance'],
  'gateways.see': ['owner', 'finance', 'support'],
  'gateways.edit': ['owner', 'finance'],
  'ledger.see': ['owner', 'finance'],
  'reports.see': ['owner', 'finance', 'compliance'],
  'tickets.see': ['owner', 'finance', 'support', 'markets', 'compliance'],
  'tickets.answer': ['owner', 'finance', 'support', 'compliance'],
  'tickets.verdict': ['owner', 'finance', 'markets'],
  'orders.see': ['owner', 'finance', 'support', 'markets', 'compliance'],
  'markets.see': ['owner', 'markets', 'support'],
  'markets.edit': ['owner', 'markets'],
  'maintenance.edit': ['owner', 'markets'],
  'exposure.see': ['owner', 'finance', 'markets'],
  'exposure.edit': ['owner', 'markets'],
  'content.see': ['owner', 'content', 'support'],
  'content.edit': ['owner', 'content'],
  'settings.see': ['owner'],
  'settings.edit': ['owner'],
  'countries.edit': ['owner', 'compliance'],
  'audit.see': ['owner'],
  'staff.manage': ['owner'],
  'alerts.own': ['owner', 'finance', 'support', 'markets', 'content', 'compliance'],
  'alerts.edit': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof PERMISSIONS

/**
 * Roles that decide about money, markets, accounts or staff. Two people have to agree before a staff member gets such a
 * role.
 */
const POWERFUL: ReadonlySet<Role> = new Set(['owner', 'finance', 'markets', 'compliance'])

export function isPowerful(role: Role): boolean {
  return POWERFUL.has(role)
}

/** Whether a role has a permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}

/** Lists the permissions of a role. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => isAllowed(role, permission))
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}
