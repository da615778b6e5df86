import type { Fence } from '#server/platform/cluster/lease.queries.ts'

/** Tasks that only one server may do at a time, spread evenly over the servers with the role. */
export interface LeaseRequest {
  readonly names: readonly string[]
  readonly role: string
  /**
   * Called when this server acquires the lease. Every write of the work must include the fence. If the lease is lost
   * and acquired again, it is called again with another fence.
   */
  readonly onAcquired: (fence: Fence) => Promise<void> | void
  /** Called when the lease is lost or uncertain. The lease is released when this resolves. */
  readonly onLost: (lease: string) => Promise<void> | void
}

/**
 * Requests one lease for work that one server at a time does. `begin` starts the work and returns the function that
 * ends it.
 */
export function oneAtATime(name: string, role: string, begin: () => Promise<() => Promise<void>>): LeaseRequest {
  let end: (() => Promise<void>) | null = null
  return {
    names: [name],
    role,
    onAcquired: async () => {
      end = await begin()
    },
    onLost: () => end?.(),
  }
}
