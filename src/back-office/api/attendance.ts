const QUIET_AFTER_MS = 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let lastSignAt = performance.now()
for (const sign of SIGNS) {
  globalThis.addEventListener(sign, () => (lastSignAt = performance.now()), { capture: true, passive: true })
}

/** Whether somebody has used the page in the last minute. What it asks by itself otherwise keeps no session open. */
export function isAttended(): boolean {
  return performance.now() - lastSignAt < QUIET_AFTER_MS
}
