import { type SeenRow, textIn } from './seen-row.ts'

const VOID = 4
const KIND_OF: Readonly<Record<number, string>> = { 1: 'deposit_credited', 3: 'deposit_rejected' }

/** Checks that each decision about money has exactly one notice to its user, in the transaction of the decision. */
export class DecisionAudit {
  readonly #complain: (what: string) => void
  readonly #decisions: { readonly kind: string; readonly trx: string; readonly userId: string; readonly at: number }[] =
    []
  readonly #notices = new Map<string, number>()

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  see({ table, at, before, after }: SeenRow): void {
    if (after === null) return
    const [trx, userId] = [textIn(after, 'trx'), textIn(after, 'user_id')]
    const kind = KIND_OF[Number(after['status'])]
    if (table === 'deposit' && kind !== undefined && after['status'] !== before?.['status'])
      this.#decisions.push({ kind, trx, userId, at })
    if (table === 'order_history' && before === null && after['result'] === VOID)
      this.#decisions.push({ kind: 'order_void', trx, userId, at })
    if (table !== 'notice' || before !== null) return
    const data = after['data'] as { readonly trx?: string }
    const key = `${textIn(after, 'kind')} ${userId} ${data.trx ?? ''}`
    this.#notices.set(key, (this.#notices.get(key) ?? 0) + 1)
  }

  check(): void {
    for (const { kind, userId, trx } of this.#decisions.splice(0)) {
      const count = this.#notices.get(`${kind} ${userId} ${trx}`) ?? 0
      if (count !== 1) this.#complain(`${kind} of ${trx} has ${count} notices to its user, not one`)
    }
  }
}
