/** How often one address or name may try. The defaults suit people; a test that is many people at once raises them. */
export interface AccountLimits {
  /** Accounts that one address may open in an hour. */
  readonly registrationsPerHour: number
  /** Wrong passwords in 15 minutes before a name, or an address, has to wait 15 minutes. */
  readonly wrongLoginsPerName: number
  readonly wrongLoginsPerAddress: number
}

export const ACCOUNT_LIMITS: AccountLimits = {
  registrationsPerHour: 200,
  wrongLoginsPerName: 10,
  wrongLoginsPerAddress: 100,
}
