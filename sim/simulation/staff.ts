import { money } from '#core/money/money.ts'
import { ok, type Result } from '#core/result.ts'
import { arrivedOf, arrivedText } from '#core/wallet/arrival-credit.ts'
import { requestAdjustment } from '#server/payments/adjustments/request-adjustment.ts'
import { adjustmentHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { decideAdjustment } from '#server/payments/adjustments/decide-adjustment.ts'
import { listAdjustments } from '#server/payments/adjustments/adjustments.queries.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import { storedRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { recordArrival } from '#server/payments/deposits/record-arrival.ts'
import {
  findForReview as findDeposit,
  listForReview as listDeposits,
} from '#server/payments/deposits/review.queries.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import {
  findForReview,
  listForReview as listWithdrawals,
} from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { markPaid, startPaying } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { Random } from '../kernel/random.ts'
import type { SimNode } from './sim-node.ts'
import type { SeededWorld } from './seed-world.ts'
import { LIMITS } from '../auditor/site-terms.ts'
import type { World } from './world.ts'

const EVERY_MS = 20_000
const LISTED = { pending: true, limit: 20 }
const WAITING = 2

interface Subject {
  readonly kind: 'deposit' | 'withdrawal'
  readonly trx: string
}

/** A staff member who decides on payments and adjusts balances, without coordinating with others. */
export class Staff {
  readonly #world: World
  readonly #staffId: string
  readonly #town: SeededWorld
  readonly #random: Random
  readonly #clicks: Random

  constructor(world: World, staffId: string, town: SeededWorld) {
    this.#world = world
    this.#staffId = staffId
    this.#town = town
    this.#random = new Random(world.plan.seed, `staff ${staffId}`)
    this.#clicks = new Random(world.plan.seed, `clicks of staff ${staffId}`)
  }

  begin(): void {
    void this.#work()
  }

  /** Decides everything that is waiting. Some decisions need a second approval by another staff member. */
  async finish(): Promise<void> {
    // A withdrawal takes up to three steps: approve it, begin to pay it, record the payment.
    for (let step = 0; step < 3; step += 1) for (const subject of await this.#waiting()) await this.#decide(subject)
  }

  async #work(): Promise<void> {
    for (;;) {
      await this.#world.kernel.sleep(this.#random.wait(EVERY_MS))
      if (this.#world.isHealed) return
      if (this.#random.chance(0.2)) await this.#ask()
      else if (this.#random.chance(0.3)) await this.#decideCorrection()
      else {
        const waiting = await this.#waiting()
        if (waiting.length > 0) await this.#decide(this.#random.pick(waiting))
      }
    }
  }

  async #waiting(): Promise<Subject[]> {
    const answer = await this.#world.ask(async ({ ctx }) => {
      const deposits = await listDeposits(ctx.db, LISTED)
      const withdrawals = await listWithdrawals(ctx.db, ctx.vault, LISTED)
      return [
        ...deposits.map(({ trx }) => ({ kind: 'deposit' as const, trx })),
        ...withdrawals.map(({ trx }) => ({ kind: 'withdrawal' as const, trx })),
      ]
    })
    return answer.kind === 'answered' ? answer.value : []
  }

  /** Decides, perhaps with a double click. */
  async #decide(subject: Subject): Promise<void> {
    const isApproved = this.#random.chance(0.7)
    const isTwice = this.#clicks.chance(this.#world.faults().sentTwice)
    const click = () => this.#send(subject, isApproved)
    await Promise.all([click(), ...(isTwice ? [click()] : [])])
  }

  async #send({ kind, trx }: Subject, isApproved: boolean): Promise<void> {
    const common = {
      trx,
      words: 'no',
      actor: this.#actor(kind),
      limits: LIMITS,
      mode: LIMITS.mode,
      reasonCode: 'provider_refused',
    } as const
    const decide = async ({ ctx }: SimNode): Promise<Result<{ readonly status: number }, string>> => {
      if (kind === 'deposit') {
        const done = await (isApproved ? creditOn(ctx, common) : rejectDeposit(ctx, common))
        return done.ok && !done.value.isDecided ? ok({ status: WAITING }) : done
      }
      return await (isApproved ? payOn(ctx, common) : rejectWithdrawal(ctx, common))
    }
    const answer = await this.#world.ask(decide)
    if (answer.kind !== 'answered') return
    const { value } = answer
    this.#world.trace.say(
      `${kind} ${trx}: ${isApproved ? 'approved' : 'rejected'} ${value.ok ? String(value.value.status) : value.refusal}`,
    )
    if (value.ok && value.value.status !== WAITING) {
      this.#world.auditor.requests.payment(`the decided ${kind}`, trx, value.value.status)
    }
  }

  async #ask(): Promise<void> {
    const amount = money(this.#random.integer(1, 40_000))
    const userId = this.#random.pick(this.#town.userIds)
    const request = {
      userId,
      kind: 'credit',
      link: '',
      amount,
      reason: 'put right',
      message: 'sorry',
      staffId: this.#staffId,
      actor: this.#actor('correct'),
    } as const
    await this.#world.ask(({ ctx }) => requestAdjustment(ctx, request))
  }

  async #decideCorrection(): Promise<void> {
    const actor = this.#actor('decide correction')
    const decision = this.#random.chance(0.8) ? 'approve' : 'reject'
    await this.#world.ask(async ({ ctx }) => {
      const [oldest] = await listAdjustments(ctx.db, { state: 'waiting' }, { after: null, limit: 5 })
      if (oldest === undefined) return
      const seenHash = adjustmentHash(oldest)
      const decided = { id: oldest.id, decision, seenHash, staffId: this.#staffId, words: 'so', actor } as const
      await decideAdjustment(ctx, { ...decided, mode: 'demo' })
    })
  }

  #actor(what: string) {
    return { who: this.#staffId, what, staffId: this.#staffId, requestId: 'sim', address: '127.0.0.1' }
  }
}

/** Records an arrival of the whole amount of a deposit, and approves the deposit. */
export async function creditOn(ctx: Ctx, common: Parameters<typeof approveDeposit>[1]) {
  const { trx, actor } = common
  const found = await findDeposit(ctx.db, trx)
  if (found?.status === WAITING && found.arrivals.length === 0) {
    const amount = arrivedText(arrivedOf(found.total), found.currency)
    const arrived = { trx, actor, amount, seenAt: ctx.now(), reference: `of ${trx}` }
    const recorded = await recordArrival({ ctx, rateAt: storedRateAt }, arrived)
    if (!recorded.ok) return recorded
  }
  return await approveDeposit(ctx, common)
}

type Paying = Parameters<typeof approveWithdrawal>[1]

/** Takes the next step of a withdrawal: approve it, begin to pay it, or record the payment. */
async function payOn(ctx: Ctx, common: Paying): Promise<Result<{ readonly status: number }, string>> {
  const found = await findForReview(ctx.db, ctx.vault, common.trx)
  if (found?.state === 'approved') return await startPaying(ctx, common)
  if (found?.state === 'paying') return await markPaid(ctx, { ...common, reference: `of ${common.trx}` })
  return await approveWithdrawal(ctx, { ...common, reason: 'looked at' })
}
