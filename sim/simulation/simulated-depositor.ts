import { money, type Money } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'
import { saveDeposit } from '#server/payments/deposits/save-deposit.ts'
import { cancelWithdrawal } from '#server/payments/withdrawals/cancel-withdrawal.ts'
import { requestWithdrawal } from '#server/payments/withdrawals/request-withdrawal.ts'
import { Random } from '../kernel/random.ts'
import type { SimNode } from './sim-node.ts'
import { AUTOMATIC_GATEWAY, DEPOSIT_GATEWAY, WITHDRAW_GATEWAY } from './seed-world.ts'
import { PINS, RATE_OF, UPLOADS } from './wallet-parts.ts'
import type { World } from './world.ts'

type Request = (node: SimNode) => Promise<Result<{ readonly trx: string }, string>>

const FIRST_PAYMENT = 300_000
const FINAL_TRIES = 30

/** Simulates a user who deposits, requests withdrawals, and repeats requests that got no reply. */
export class SimulatedDepositor {
  readonly #world: World
  readonly #userId: string
  readonly #name: string
  readonly #random: Random
  readonly #unsure = new Map<string, Request>()
  readonly #known = new Map<string, string>()
  readonly #withdrawals: string[] = []
  #requestCount = 0

  constructor(world: World, userId: string, name: string) {
    this.#world = world
    this.#userId = userId
    this.#name = name
    this.#random = new Random(world.plan.seed, `${name} at the till`)
  }

  begin(): void {
    void this.#pay()
  }

  async finish(): Promise<void> {
    for (const [id, request] of this.#unsure) {
      for (let tries = 0; tries < FINAL_TRIES && !(await this.#send(id, request)); tries += 1) {
        await this.#world.kernel.sleep(500)
      }
    }
  }

  async #pay(): Promise<void> {
    const { kernel, plan } = this.#world
    await this.#again(...this.#deposit(money(FIRST_PAYMENT), AUTOMATIC_GATEWAY))
    for (;;) {
      await kernel.sleep(this.#random.wait(plan.payEveryMs))
      if (this.#world.isHealed) return
      const what = this.#random.next()
      const amount = money(this.#random.integer(90, 150_000))
      if (what < 0.35)
        void this.#again(...this.#deposit(amount, this.#random.pick([AUTOMATIC_GATEWAY, DEPOSIT_GATEWAY])))
      else if (what < 0.85) void this.#again(...this.#withdrawal(amount))
      else void this.#cancel()
    }
  }

  #deposit(amount: Money, gatewayId: number): [string, Request] {
    const id = this.#newName('in')
    const request = { userId: this.#userId, gatewayId, amount, fields: {}, clientRequestId: id }
    return [
      id,
      ({ ctx }) =>
        saveDeposit({ ctx, uploads: UPLOADS, rateOf: RATE_OF }, request, {
          depositsOpen: true,
          depositReason: '',
          withdrawalsClosedUntil: null,
          withdrawReason: '',
          asksForLimit: false,
        }),
    ]
  }

  #withdrawal(amount: Money): [string, Request] {
    const id = this.#newName('out')
    const request = {
      userId: this.#userId,
      methodId: WITHDRAW_GATEWAY,
      amount,
      pin: '1234',
      fields: {},
      clientRequestId: id,
    }
    const open = { withdrawalsClosedUntil: null, withdrawReason: '', withdrawalPauseHours: 0 }
    return [id, ({ ctx }) => requestWithdrawal({ ctx, pins: PINS }, request, open)]
  }

  /** Sends a request, perhaps twice at once, until it gets a reply. Unanswered requests are checked at the end. */
  async #again(id: string, request: Request): Promise<void> {
    const isTwice = this.#random.chance(this.#world.faults().sentTwice)
    const answered = await Promise.all([this.#send(id, request), ...(isTwice ? [this.#send(id, request)] : [])])
    if (answered.every(Boolean)) return
    this.#unsure.set(id, request)
    await this.#world.kernel.sleep(this.#random.wait(5_000))
    await this.#send(id, request)
  }

  /** Sends a request once. Resolves to whether a reply arrived. */
  async #send(id: string, request: Request): Promise<boolean> {
    const { trace, auditor } = this.#world
    trace.say(`${id} asks`)
    const answer = await this.#world.ask(request)
    if (answer.kind !== 'answered') return false
    const { value } = answer
    trace.say(`${id}: ${value.ok ? value.value.trx : value.refusal}`)
    if (!value.ok) return true
    const { trx } = value.value
    auditor.requests.payment(id, trx, null)
    const before = this.#known.get(id) ?? trx
    if (before !== trx) auditor.complain(`I7: ${id} was answered ${before} and then ${trx}`)
    this.#known.set(id, trx)
    if (id.includes('-out')) this.#withdrawals.push(trx)
    return true
  }

  async #cancel(): Promise<void> {
    const trx = this.#withdrawals.at(-1)
    if (trx === undefined) return
    const answer = await this.#world.ask(({ ctx }) =>
      cancelWithdrawal(ctx, { userId: this.#userId, trx, isLockFixed: false }),
    )
    if (answer.kind !== 'answered') return
    this.#world.trace.say(`${this.#name} takes ${trx} back: ${answer.value.ok ? 'done' : answer.value.refusal}`)
    if (answer.value.ok) this.#world.auditor.requests.payment('the cancelled withdrawal', trx, 3)
  }

  #newName(kind: string): string {
    this.#requestCount += 1
    return `${this.#name}-${kind}${this.#requestCount}`
  }
}
