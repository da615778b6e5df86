/** The id of the demo gateway that credits virtual money. */
export const DEMO_FUNDS_GATEWAY = 1

/** Only this demo gateway may credit without an approval, because its money is virtual. */
export function mayBeAutomatic(id: number | null, mode: 'demo' | 'live'): boolean {
  return mode === 'demo' && id === DEMO_FUNDS_GATEWAY
}
