import type { Fence } from '#server/platform/cluster/lease.queries.ts'

/** Tasks that only one server may do at a time, spread evenly over the servers with the role. */
export interface LeaseRequest {
  readonly names: readonly string[]
  readonly role: string
  /** Called when the lease is acquired. Every write under it includes the fence. Called again with another fence after a loss. */
  readonly onAcquired: (fence: Fence) => Promise<void> | void
  /** Called when the lease is lost or uncertain. The lease is released when this resolves. */
  readonly onLost: (lease: string) => Promise<void> | void
}

/** Work that one server at a time does, from acquiring the lease until losing it. */
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
