import { startAppWorker } from '#web/app-install/app-worker.ts'
import { watchInstallOffer } from '#web/app-install/install-offer.ts'

/** 5 s: the longest wait for an idle moment of a busy page. */
const IDLE_WITHIN_MS = 5_000

/** Prepares the installed app: the browser's offer to install it, and the worker once the first screen is idle. */
export function startApp(): void {
  watchInstallOffer()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(startWorker, { timeout: IDLE_WITHIN_MS })
  else setTimeout(startWorker, IDLE_WITHIN_MS)
}

function startWorker(): void {
  void startAppWorker()
}
