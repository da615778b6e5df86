/** The specification's redirect flag: whoever came here from the withdrawal goes back to it afterwards. */
const FLAG = 'redirect=withdraw'

export interface WithdrawFacts {
  readonly hasPin: boolean
  /** The methods on offer; `isReady` when all their details are saved. */
  readonly methods: readonly { readonly id: number; readonly isReady: boolean }[]
  /** The method that the address asks for. */
  readonly wanted: number | null
}

export type WithdrawStep =
  /** Show the form with this method chosen, or with none yet. */
  { readonly kind: 'form'; readonly chosen: number | null } | { readonly kind: 'go'; readonly to: string }

/** What has to come first: a PIN, then the details of the method there is or that was chosen; then the form. */
export function withdrawStep({ hasPin, methods, wanted }: WithdrawFacts): WithdrawStep {
  if (!hasPin) return { kind: 'go', to: pinPath({ fromWithdraw: true }) }
  const [only, another] = methods
  if (only !== undefined && another === undefined) return chosenStep(only)
  const asked = methods.find(({ id }) => id === wanted)
  if (asked !== undefined) return chosenStep(asked)
  // Several, and nobody has said which: the first that could be used at once.
  return { kind: 'form', chosen: methods.find(({ isReady }) => isReady)?.id ?? null }
}

/** The same for a method that is chosen on the form. */
export function chosenStep({ id, isReady }: WithdrawFacts['methods'][number]): WithdrawStep {
  return isReady ? { kind: 'form', chosen: id } : { kind: 'go', to: methodPath(id, { fromWithdraw: true }) }
}

export function pinPath({ fromWithdraw }: { readonly fromWithdraw: boolean }): string {
  return flagged('/account/withdraw-pin', fromWithdraw)
}

export function methodPath(id: number, { fromWithdraw }: { readonly fromWithdraw: boolean }): string {
  return flagged(`/account/payment-method/${id}`, fromWithdraw)
}

/** Where to after the PIN was set. */
export function afterPin(query: string): string {
  return isFromWithdraw(query) ? '/withdraw' : '/wallet'
}

/** Where to after the details of a method were saved: back with it chosen, or to the list of all. */
export function afterDetails(id: number, query: string): string {
  return isFromWithdraw(query) ? `/withdraw?method=${id}` : '/account/withdrawal-methods'
}

export function isFromWithdraw(query: string): boolean {
  return query.replace(/^\?/, '').split('&').includes(FLAG)
}

/** The method that the address of the withdrawal names. */
export function wantedMethod(query: string): number | null {
  const match = /(?:^|[?&])method=(\d{1,9})(?:&|$)/.exec(query)
  return match ? Number(match[1]) : null
}

function flagged(path: string, fromWithdraw: boolean): string {
  return fromWithdraw ? `${path}?${FLAG}` : path
}
