/**
 * The states of a deposit. `seen`: money has arrived that is not credited yet. `review`: what arrived is not enough to
 * credit anything. `expired`: nothing arrived in time, or the user closed the request. Money that arrives later opens
 * an expired deposit again.
 */
export const DEPOSIT_STATES = ['waiting', 'seen', 'review', 'credited', 'rejected', 'expired'] as const
export type DepositState = (typeof DEPOSIT_STATES)[number]

/** The states of money that arrived. Only confirmed arrivals of a deposit are credited, once each. */
export const ARRIVAL_STATES = ['seen', 'confirmed', 'credited', 'unassigned', 'sent_back', 'gone'] as const
export type ArrivalState = (typeof ARRIVAL_STATES)[number]

/** Who reported that money arrived. */
export const ARRIVAL_SOURCES = ['staff', 'statement', 'btcpay', 'evm', 'demo'] as const
export type ArrivalSource = (typeof ARRIVAL_SOURCES)[number]

/** Every step in the history of a deposit. */
export const DEPOSIT_STEPS = [
  'requested',
  'requoted',
  'arrived',
  'first_approval',
  'credited',
  'rejected',
  'closed',
  'expired',
] as const
export type DepositStep = (typeof DEPOSIT_STEPS)[number]

/** Steps that the user sees. All other steps are internal to staff. */
export const DEPOSIT_USER_STEPS = [
  'requested',
  'requoted',
  'arrived',
  'credited',
  'rejected',
  'closed',
  'expired',
] as const satisfies readonly DepositStep[]

export function readDepositState(text: string): DepositState {
  return oneOf(DEPOSIT_STATES, text, 'state of a deposit')
}

export function readDepositStep(text: string): DepositStep {
  return oneOf(DEPOSIT_STEPS, text, 'step of a deposit')
}

export function readArrivalState(text: string): ArrivalState {
  return oneOf(ARRIVAL_STATES, text, 'state of an arrival')
}

export function readArrivalSource(text: string): ArrivalSource {
  return oneOf(ARRIVAL_SOURCES, text, 'source of an arrival')
}

/** Returns a step that the user sees. Null for steps that are internal to staff. */
export function depositUserStep(step: DepositStep): (typeof DEPOSIT_USER_STEPS)[number] | null {
  return DEPOSIT_USER_STEPS.find((one) => one === step) ?? null
}

function oneOf<T extends string>(known: readonly T[], text: string, what: string): T {
  const found = known.find((one) => one === text)
  if (found === undefined) throw new Error(`unknown ${what}: ${text}`)
  return found
}
