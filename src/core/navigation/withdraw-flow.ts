/**
 * The redirect flag of the specification. A screen whose address has this flag returns the user to the withdrawal
 * screen when the user is done.
 */
const FLAG = 'redirect=withdraw'

export interface WithdrawFacts {
  readonly hasPin: boolean
  /** The offered methods. `isReady` is true when all details of the method are saved. */
  readonly methods: readonly { readonly id: number; readonly isReady: boolean }[]
  /** The method id in the address of the screen. Null without one. */
  readonly wanted: number | null
}

export type WithdrawStep =
  /** Show the form with this method selected, or with none. */
  { readonly kind: 'form'; readonly chosen: number | null } | { readonly kind: 'go'; readonly to: string }

/**
 * Returns the next step of a withdrawal: set a PIN, then save the details of the only or selected method, then the
 * form.
 */
export function withdrawStep({ hasPin, methods, wanted }: WithdrawFacts): WithdrawStep {
  if (!hasPin) return { kind: 'go', to: pinPath({ fromWithdraw: true }) }
  const [only, another] = methods
  if (only !== undefined && another === undefined) return chosenStep(only)
  const method = methods.find(({ id }) => id === wanted)
  if (method !== undefined) return chosenStep(method)
  // Several methods and none selected: preselect the first that has all its details.
  return { kind: 'form', chosen: methods.find(({ isReady }) => isReady)?.id ?? null }
}

/** Returns the next step for a method selected on the form. */
export function chosenStep({ id, isReady }: WithdrawFacts['methods'][number]): WithdrawStep {
  return isReady ? { kind: 'form', chosen: id } : { kind: 'go', to: methodPath(id, { fromWithdraw: true }) }
}

export function pinPath({ fromWithdraw }: { readonly fromWithdraw: boolean }): string {
  return flagged('/account/withdraw-pin', fromWithdraw)
}

export function methodPath(id: number, { fromWithdraw }: { readonly fromWithdraw: boolean }): string {
  return flagged(`/account/payment-method/${id}`, fromWithdraw)
}

/** The path to open after the PIN was set. */
export function afterPin(query: string): string {
  return isFromWithdraw(query) ? '/withdraw' : '/wallet'
}

/**
 * The path to open after the details of a method were saved: the withdrawal with that method, or the list of methods.
 */
export function afterDetails(id: number, query: string): string {
  return isFromWithdraw(query) ? `/withdraw?method=${id}` : '/account/withdrawal-methods'
}

export function isFromWithdraw(query: string): boolean {
  return query.replace(/^\?/, '').split('&').includes(FLAG)
}

/** The method id in the address of the withdrawal screen. */
export function wantedMethod(query: string): number | null {
  const match = /(?:^|[?&])method=(\d{1,9})(?:&|$)/.exec(query)
  return match ? Number(match[1]) : null
}

function flagged(path: string, fromWithdraw: boolean): string {
  return fromWithdraw ? `${path}?${FLAG}` : path
}
