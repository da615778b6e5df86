const QUIET_AFTER_MS = 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let lastSignAt = performance.now()
for (const sign of SIGNS) {
  globalThis.addEventListener(sign, () => (lastSignAt = performance.now()), { capture: true, passive: true })
}

/**
 * Whether a staff member used the page in the last minute. Requests of an unattended page do not extend the session.
 */
export function isUserActive(): boolean {
  return performance.now() - lastSignAt < QUIET_AFTER_MS
}
