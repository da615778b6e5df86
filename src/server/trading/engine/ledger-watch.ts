import type { Instant } from '#core/time/instant.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { reconcilePeriodically } from '#server/ledger/reconciliation/reconcile-periodically.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'

export interface LastCheck {
  readonly at: Instant
  readonly clean: boolean
  /**
   * When all transfers were last read, by this check or by the check that made the sums from which this check started.
   */
  readonly wholeAt: Instant
}

export interface LedgerWatchParts {
  readonly ctx: Ctx
  readonly store: Pick<EngineStore, 'checkLedger' | 'recountLedger' | 'endChecks'>
  readonly everyMs: number
  /** Called after each check, with whether the ledger reconciles. */
  readonly onReport: (isClean: boolean) => void
}

/** Checks periodically whether the ledger reconciles. */
export class LedgerWatch {
  readonly #parts: LedgerWatchParts
  #lastCheck: LastCheck | null = null
  #stopWatching: (() => Promise<void>) | null = null

  constructor(parts: LedgerWatchParts) {
    this.#parts = parts
  }

  /** The last check; null before the first one. */
  get lastCheck(): LastCheck | null {
    return this.#lastCheck
  }

  /** Runs a quick check, then checks periodically. Returns whether the ledger reconciles. */
  async start(): Promise<boolean> {
    const { ctx, store, everyMs } = this.#parts
    const report = await store.checkLedger('quick')
    this.#apply(report)
    this.#stopWatching = reconcilePeriodically({
      ctx,
      check: () => store.checkLedger('usual'),
      recount: () => store.recountLedger(),
      everyMs,
      onReport: (next) => this.#apply(next),
    })
    return report.clean
  }

  /** Cancels running checks. Resolves when none is running. */
  async stop(): Promise<void> {
    await Promise.all([this.#stopWatching?.(), this.#endChecks()])
  }

  /** Reads the whole ledger, in addition to the periodic check. */
  async checkNow(): Promise<void> {
    this.#apply(await this.#parts.store.checkLedger('whole'))
  }

  #apply({ clean, mismatches, sumOfAll, unknownAccounts, sums }: LedgerReport): void {
    const { ctx, onReport } = this.#parts
    const at = ctx.now()
    this.#lastCheck = { at, clean, wholeAt: sums?.wholeAt ?? at }
    if (!clean)
      ctx.log.error({ mismatches, sumOfAll, unknownAccounts }, 'the ledger does not reconcile: no orders are accepted')
    onReport(clean)
  }

  async #endChecks(): Promise<void> {
    try {
      await this.#parts.store.endChecks()
    } catch (error) {
      this.#parts.ctx.log.warn({ err: error }, 'a ledger check could not be cancelled: waiting for it to finish')
    }
  }
}
