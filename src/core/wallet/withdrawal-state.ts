/** The states of a withdrawal. Approved means only that it may be paid. */
export const WITHDRAWAL_STATES = [
  'requested',
  'approved',
  'paying',
  'paid',
  'failed',
  'returned',
  'rejected',
  'cancelled',
] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

interface Step {
  /** The states in which staff or the user can take the step. Empty: the step creates the withdrawal. */
  readonly from: readonly WithdrawalState[]
  /** The state after the step. Absent when the step does not change the state. */
  readonly to?: WithdrawalState
}

const UNPAID = ['requested', 'approved'] as const

/** Every step of a withdrawal. The database allows no others (`state_after_step`). */
export const WITHDRAWAL_STEPS = {
  requested: { from: [], to: 'requested' },
  first_approval: { from: UNPAID },
  first_rejection: { from: UNPAID },
  approved: { from: ['requested'], to: 'approved' },
  /** The user saved other payment details. A running payment continues. */
  details_changed: { from: ['requested', 'approved', 'paying'] },
  rejected: { from: UNPAID, to: 'rejected' },
  cancelled: { from: UNPAID, to: 'cancelled' },
  paying: { from: ['approved'], to: 'paying' },
  taken_over: { from: ['paying'] },
  unsent: { from: ['paying'], to: 'approved' },
  paid: { from: ['paying'], to: 'paid' },
  failed: { from: ['paying'], to: 'failed' },
  first_return: { from: ['paid'] },
  returned: { from: ['paid'], to: 'returned' },
} as const satisfies Record<string, Step>
export type WithdrawalStep = keyof typeof WITHDRAWAL_STEPS
export const STEP_NAMES = Object.keys(WITHDRAWAL_STEPS) as WithdrawalStep[]

/** Steps that the user sees. All other steps are internal to staff. */
export const USER_STEPS = [
  'requested',
  'approved',
  'details_changed',
  'rejected',
  'cancelled',
  'paying',
  'unsent',
  'paid',
  'failed',
  'returned',
] as const satisfies readonly WithdrawalStep[]
type UserStep = (typeof USER_STEPS)[number]

/** Returns the state after a step, or null when the step cannot be taken in this state. */
export function stateAfter(step: WithdrawalStep, state: WithdrawalState | null): WithdrawalState | null {
  const { from, to }: Step = WITHDRAWAL_STEPS[step]
  if (state === null) return step === 'requested' ? 'requested' : null
  if (!from.includes(state)) return null
  if (step === 'details_changed' && state === 'approved') return 'requested'
  return to ?? state
}

/** 1 success, 2 pending, 3 rejected, failed, returned or cancelled. */
export function statusOfState(state: WithdrawalState): 1 | 2 | 3 {
  if (state === 'paid') return 1
  return state === 'requested' || state === 'approved' || state === 'paying' ? 2 : 3
}

/** Whether the payment has not begun, so that the withdrawal can still be rejected or cancelled. */
export function isUnpaid(state: WithdrawalState): boolean {
  return UNPAID.some((one) => one === state)
}

export function readWithdrawalState(text: string): WithdrawalState {
  const state = WITHDRAWAL_STATES.find((one) => one === text)
  if (state === undefined) throw new Error(`unknown state of a withdrawal: ${text}`)
  return state
}

export function readWithdrawalStep(text: string): WithdrawalStep {
  const step = STEP_NAMES.find((one) => one === text)
  if (step === undefined) throw new Error(`unknown step of a withdrawal: ${text}`)
  return step
}

/** Returns a step that the user sees. Null for steps that are internal to staff. */
export function userStep(step: WithdrawalStep): UserStep | null {
  return USER_STEPS.find((one) => one === step) ?? null
}
