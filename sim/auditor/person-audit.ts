import { AlertAudit } from './alert-audit.ts'
import { BreakAudit } from './break-audit.ts'
import { DecisionAudit } from './decision-audit.ts'
import { LimitAudit, type RefusedRequest } from './limit-audit.ts'
import type { SeenRow } from './seen-row.ts'

export type { AlertKind } from './alert-audit.ts'

/** The parts of the auditor that one user reports to. */
export interface PersonAudit {
  readonly limits: Pick<LimitAudit, 'changed' | 'ended'> & { readonly refused: (request: RefusedRequest) => void }
  readonly breaks: Pick<BreakAudit, 'begun' | 'returnRequested' | 'returned'>
  readonly alerts: Pick<AlertAudit, 'set' | 'endRequested'>
}

interface Person {
  readonly limits: LimitAudit
  readonly breaks: BreakAudit
  readonly refused: RefusedRequest[]
}

/**
 * Checks limits, breaks, price alerts and notices without any code of the product: from the requests of users, their
 * times, and the stored orders, results, deposits and ticks.
 */
export class OwnRulesAudit {
  readonly violations: string[] = []
  readonly alerts: AlertAudit
  readonly #decisions: DecisionAudit
  readonly #people = new Map<string, Person>()
  #acceptedCount = 0
  #refusedCount = 0

  constructor() {
    const complain = (what: string) => void this.violations.push(what)
    this.alerts = new AlertAudit(complain, (userId) => this.#person(userId).breaks)
    this.#decisions = new DecisionAudit(complain)
  }

  get acceptedCount(): number {
    return this.#acceptedCount
  }

  /** The number of requests that the server refused because of a limit or a break. */
  get refusedCount(): number {
    return this.#refusedCount
  }

  of(userId: string): PersonAudit {
    const { limits, breaks, refused } = this.#person(userId)
    const note = (request: RefusedRequest) => void refused.push(request)
    return {
      limits: { changed: (one) => limits.changed(one), ended: (one) => limits.ended(one), refused: note },
      breaks,
      alerts: this.alerts,
    }
  }

  marksKept(at: number): void {
    for (const { limits } of this.#people.values()) limits.marksKept(at)
  }

  /** Checks a session with its rows. The market was calm since `calmSince`. */
  check(rows: readonly SeenRow[], calmSince: number): void {
    for (const row of rows) {
      this.alerts.see(row)
      this.#decisions.see(row)
      const columns = row.after ?? row.before
      const userId = columns?.['user_id']
      if (typeof userId === 'string') this.#see(this.#person(userId), row)
    }
    for (const { limits, breaks, refused } of this.#people.values()) {
      for (const request of refused.splice(0)) {
        if (/^(self_|on_break|excluded|return_waits)/.test(request.code)) this.#refusedCount += 1
        limits.refused(request)
        breaks.refused(request)
      }
      limits.checkRefused()
    }
    this.#decisions.check()
    this.alerts.check(calmSince)
  }

  #see({ limits, breaks }: Person, row: SeenRow): void {
    limits.see(row)
    if (row.before !== null || row.after === null) return
    if (row.table === 'open_order') {
      this.#acceptedCount += 1
      breaks.accepted('an order', Number(row.after['opened_ms']))
    }
    if (row.table === 'deposit') breaks.accepted('a deposit', Number(row.after['created_ms']))
  }

  #person(userId: string): Person {
    const complain = (what: string) => void this.violations.push(`${userId.slice(-4)}: ${what}`)
    const known = this.#people.get(userId)
    if (known !== undefined) return known
    const person = { limits: new LimitAudit(complain), breaks: new BreakAudit(complain), refused: [] }
    this.#people.set(userId, person)
    return person
  }
}
