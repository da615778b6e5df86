/** The number of the gateway of a demo that credits virtual money. */
export const DEMO_FUNDS_GATEWAY = 1

/** Money that nobody has seen is credited at once only where it is virtual, and only by the one gateway made for that. */
export function mayBeAutomatic(id: number | null, mode: 'demo' | 'live'): boolean {
  return mode === 'demo' && id === DEMO_FUNDS_GATEWAY
}
