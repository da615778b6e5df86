/**
 * The states of the receipt worker. `gathering` waits for more orders to share a tree, `retrying` waits after a
 * failure. While it is `stopping` it makes receipts only on demand.
 */
export type WorkerState = 'idle' | 'gathering' | 'making' | 'retrying' | 'stopping'

/**
 * `work`: orders were queued or a backfill is due. `due`: the wait is over. `demand`: a caller waits for all receipts.
 * `done` and `failed` end `making`.
 */
export type WorkerEvent = 'work' | 'due' | 'demand' | 'done' | 'failed' | 'stop'

export interface WorkerLoad {
  readonly hasWork: boolean
  /** Whether enough orders wait for a tree of the full size. */
  readonly hasFullTree: boolean
}

/** Decides the next state of the receipt worker. */
export function nextState(state: WorkerState, event: WorkerEvent, { hasWork, hasFullTree }: WorkerLoad): WorkerState {
  if (state === 'stopping' || event === 'stop') return 'stopping'
  if (event === 'due' || event === 'demand') return 'making'
  if (event === 'failed') return 'retrying'
  const isFree = event === 'done' || state === 'idle' || state === 'gathering'
  if (!isFree) return state
  if (!hasWork) return 'idle'
  return hasFullTree ? 'making' : 'gathering'
}
