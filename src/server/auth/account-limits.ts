/** How often one address or name may try. */
export interface AccountLimits {
  /** Accounts that one address may open in an hour. */
  readonly registrationsPerHour: number
  /** Wrong passwords in 15 minutes before a name, or an address, has to wait 15 minutes. */
  readonly wrongLoginsPerName: number
  readonly wrongLoginsPerAddress: number
  /** Wrong passwords in a minute, of all names from all addresses together, before devices nobody knows have to wait. */
  readonly wrongLoginsInAll: number
}

export const ACCOUNT_LIMITS: Omit<AccountLimits, 'registrationsPerHour'> = {
  wrongLoginsPerName: 10,
  wrongLoginsPerAddress: 100,
  wrongLoginsInAll: 1_200,
}
