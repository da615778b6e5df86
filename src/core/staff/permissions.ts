/** What a member of staff is there for. Everyone has one role. */
export const ROLES = ['owner', 'finance', 'support', 'markets', 'content'] as const
export type Role = (typeof ROLES)[number]

/**
 * Who may do what: every call of the back office names one of these, and whoever is not listed is refused. There is no
 * permission for a price, a result or one user's payout, because nobody may change those.
 */
export const PERMISSIONS = {
  'dashboard.see': ['owner', 'finance', 'support', 'markets', 'content'],
  'users.see': ['owner', 'finance', 'support'],
  'users.manage': ['owner', 'support'],
  'users.limit': ['owner', 'finance'],
  'corrections.see': ['owner', 'finance'],
  'corrections.decide': ['owner', 'finance'],
  'deposits.see': ['owner', 'finance', 'support'],
  'deposits.decide': ['owner', 'finance'],
  'withdrawals.see': ['owner', 'finance', 'support'],
  'withdrawals.decide': ['owner', 'finance'],
  'gateways.see': ['owner', 'finance', 'support'],
  'gateways.edit': ['owner', 'finance'],
  'ledger.see': ['owner', 'finance'],
  'orders.see': ['owner', 'finance', 'support', 'markets'],
  'markets.see': ['owner', 'markets', 'support'],
  'markets.edit': ['owner', 'markets'],
  'content.see': ['owner', 'content', 'support'],
  'content.edit': ['owner', 'content'],
  'settings.see': ['owner'],
  'settings.edit': ['owner'],
  'audit.see': ['owner'],
  'staff.manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof PERMISSIONS

/** Whether a role has a permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}

/** Everything a role may do. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => isAllowed(role, permission))
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}
