import { isUuid } from '#core/ids/uuid.ts'
import type {
  AlertMessage,
  BalanceChanged,
  LimitsChanged,
  NewDevice,
  NoticeMessage,
} from '#contract/live/app-socket.ts'
import { priceNumber } from '#core/money/price.ts'
import { instant, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { FiredAlert, SettledOrder } from '#server/platform/runtime/events.ts'
import { type BatchLoader, createBatchLoader } from '#server/platform/concurrency/batch-loader.ts'
import type { Authenticate, AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { OrderKey } from '#server/trading/engine/settled-orders.queries.ts'
import { CLOSE, type Connection } from '#server/sockets/connection.ts'
import {
  findResultNumbers,
  MAX_RESENT_RESULTS,
  noteSeen,
  type NumberedResult,
  readTradeStatus,
  RESEND_WINDOW_MS,
  type TradeStatus,
  unseenResults,
} from '#server/sockets/live.queries.ts'
import { resultMessage } from '#server/sockets/order-messages.ts'
import { DeliveredResults } from '#server/sockets/delivered-results.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { PracticeAccounts } from '#server/trading/orders/practice-accounts.ts'
import { isPracticeId } from '#core/accounts/practice.ts'
import { createCancellableSleep, type CancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'

const STATUS_FRESH_MS = 2 * SECOND_MS
const CHECK_SESSIONS_MS = 5 * MINUTE_MS
/** 2 s. With the time that a cached key is trusted, an ended key loses its sockets within 5 s. */
const CHECK_KEYS_MS = 2 * SECOND_MS
/** After missed events, results of the last 10 minutes are searched. One search sends at most 5,000 results. */
const MISSED_FOR_MS = 10 * MINUTE_MS
const MAX_MISSED_RESULTS = 5_000
const CHECK_AGAIN_MS = 30 * SECOND_MS
/** 500 ms. Confirmations of all users are stored in one statement, because no client waits for them. */
const GATHER_SEEN_MS = 500

interface SignedInSocket {
  readonly user: AuthenticatedUser
  readonly token: string
}

/**
 * Results that a user has confirmed. `numbers`: results whose number is cached. `others`: results whose number must be
 * read first.
 */
interface Seen {
  readonly numbers: readonly NumberedResult[]
  readonly others: readonly OrderKey[]
}

export interface UserNotificationsOptions {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly authenticate: Authenticate
  readonly practice: PracticeAccounts
}

/**
 * Assigns sockets to users.
 * It sends users their results until confirmed, notifies them of balance changes, and closes sockets when their session
 * ends.
 */
export class UserNotifications {
  private readonly ctx: Ctx
  private readonly catalogue: MarketCatalogue
  private readonly authenticate: Authenticate
  private readonly practice: PracticeAccounts
  private readonly sockets = new Map<Connection, SignedInSocket>()
  private readonly byUser = new Map<string, Set<Connection>>()
  /** The practice accounts of users with an open socket, as far as they are known. */
  private readonly practiceIds = new Map<string, string>()
  private readonly statuses = new Map<string, { status: TradeStatus; until: Instant }>()
  private readonly confirm: BatchLoader<Seen, void>
  private lastConfirmed: Promise<void> = Promise.resolve()
  /** By order id, the user who confirmed the result, while the confirmation is not stored yet. */
  private readonly confirming = new Map<string, string>()
  private readonly pause: CancellableSleep
  private isStopped = false
  private readonly stopListening: () => void
  private cancelCheck: (() => void) | null = null
  private cancelKeyCheck: (() => void) | null = null
  private checkedAt = Number.NEGATIVE_INFINITY
  private readonly deliveredResults = new DeliveredResults()

  constructor({ ctx, catalogue, authenticate, practice }: UserNotificationsOptions) {
    this.practice = practice
    this.ctx = ctx
    this.catalogue = catalogue
    this.authenticate = authenticate
    this.pause = createCancellableSleep(ctx.clock)
    this.confirm = createBatchLoader(
      async (seen) => {
        const others = seen.flatMap((one) => one.others)
        const lookedUp = others.length === 0 ? [] : await findResultNumbers(ctx.db, others)
        await noteSeen(ctx.db, [...seen.flatMap(({ numbers }) => numbers), ...lookedUp])
        return seen.map(() => undefined)
      },
      { underWay: 1, gather: () => (this.isStopped ? Promise.resolve() : this.pause.sleep(GATHER_SEEN_MS)) },
    )
    this.stopListening = ctx.subscribe((announcement) => {
      if (announcement.kind === 'order-settled') this.notifyResult(announcement.order)
      else if (announcement.kind === 'balance-changed') this.notifyBalanceChanged(announcement.userId)
      else if (announcement.kind === 'limits-changed')
        this.sendTo(announcement.userId, { type: 'limitsChanged' } satisfies LimitsChanged)
      else if (announcement.kind === 'notice')
        this.sendTo(announcement.userId, { type: 'notice' } satisfies NoticeMessage)
      else if (announcement.kind === 'alert-fired') this.notifyAlert(announcement.userId, announcement.alert)
      else if (announcement.kind === 'new-device') this.notifyNewDevice(announcement)
      // A rejection moves no money, but the user's list of deposits changes.
      else if (announcement.kind === 'deposit-decided') this.notifyBalanceChanged(announcement.userId)
      else if (announcement.kind === 'session-ended') this.endSessions(announcement.userId, announcement.tokenHash)
      else if (announcement.kind === 'trade-status-changed') this.statuses.delete(announcement.userId)
      else if (announcement.kind === 'events-missed') void this.notifyMissed()
    })
    this.scheduleCheck()
    this.scheduleKeyCheck()
  }

  stop(): void {
    this.isStopped = true
    this.pause.wake()
    this.stopListening()
    this.cancelCheck?.()
    this.cancelKeyCheck?.()
  }

  /** Waits until all confirmations so far are stored or have failed. */
  async allConfirmed(): Promise<void> {
    await this.lastConfirmed
  }

  /** Assigns a socket to its user, then sends the unconfirmed results. */
  async signIn(connection: Connection, user: AuthenticatedUser, token: string): Promise<void> {
    this.drop(connection)
    this.sockets.set(connection, { user, token })
    const own = this.byUser.get(user.userId)
    if (own === undefined) this.byUser.set(user.userId, new Set([connection]))
    else own.add(connection)
    const since = instant(this.ctx.now() - RESEND_WINDOW_MS)
    const practiceId = await this.practice.idOf(user.userId)
    if (practiceId !== null) this.practiceIds.set(user.userId, practiceId)
    const unseen = await unseenResults(this.ctx.db, this.accountsOf(user.userId), since, MAX_RESENT_RESULTS)
    // The socket may have closed or changed its user during the query.
    if (this.sockets.get(connection)?.user !== user) return
    for (const order of unseen) {
      if (this.confirming.get(order.orderId) === user.userId) continue
      this.deliveredResults.add(order)
      this.send(connection, order)
    }
    // The session may have ended during the query, before this socket was assigned.
    if ((await this.authenticate(token, connection.from)) === null) this.end(connection)
  }

  drop(connection: Connection): void {
    const known = this.sockets.get(connection)
    if (known === undefined) return
    this.sockets.delete(connection)
    const own = this.byUser.get(known.user.userId)
    own?.delete(connection)
    if (own?.size !== 0) return
    this.byUser.delete(known.user.userId)
    for (const account of this.accountsOf(known.user.userId)) this.deliveredResults.leave(account)
    this.practiceIds.delete(known.user.userId)
  }

  /** The accounts of a user whose results were or will be sent. */
  private accountsOf(userId: string): string[] {
    const practiceId = this.practiceIds.get(userId)
    return practiceId === undefined ? [userId] : [userId, practiceId]
  }

  /** The users with an open socket. */
  userIds(): string[] {
    return [...this.byUser.keys()]
  }

  /** Sends a message to all sockets of a user. */
  sendTo(userId: string, message: object): void {
    for (const connection of this.byUser.get(userId) ?? []) connection.send(message)
  }

  userOf(connection: Connection): AuthenticatedUser | null {
    return this.sockets.get(connection)?.user ?? null
  }

  /** Returns how many other sockets are assigned to the same session or key. */
  othersOf(connection: Connection, { userId, tokenHash }: AuthenticatedUser): number {
    const own = [...(this.byUser.get(userId) ?? [])].filter((one) => one !== connection)
    return own.filter((one) => Buffer.compare(this.userOf(one)?.tokenHash ?? tokenHash, tokenHash) === 0).length
  }

  /**
   * Confirms results for a user, of both accounts. Results of other users are not affected, because the user is part of
   * the key.
   */
  async seen(userId: string, orderIds: readonly string[]): Promise<void> {
    const ids = orderIds.filter((id) => isUuid(id))
    if (ids.length === 0) return
    for (const id of ids) this.confirming.set(id, userId)
    const accounts = this.accountsOf(userId)
    const numbers: NumberedResult[] = []
    const others: OrderKey[] = []
    for (const orderId of ids) {
      const known = accounts.flatMap((account) => {
        const number = this.deliveredResults.takeNumber(account, orderId)
        return number === null ? [] : [{ userId: account, number }]
      })
      if (known.length > 0) numbers.push(...known)
      else others.push(...accounts.map((account) => ({ userId: account, orderId })))
    }
    const confirmed = this.confirm({ numbers, others })
    // Confirmations are stored in the order of their arrival.
    this.lastConfirmed = confirmed.catch(() => undefined)
    try {
      await confirmed
    } finally {
      for (const id of ids) this.confirming.delete(id)
    }
  }

  async tradeStatus(userId: string): Promise<TradeStatus> {
    const now = this.ctx.now()
    const known = this.statuses.get(userId)
    if (known !== undefined && now < known.until) return known.status
    const status = (await readTradeStatus(this.ctx.db, userId)) ?? {
      allowed: false,
      reason: '',
      language: 'en',
      closed: null,
    }
    if (this.statuses.size > 10_000) this.statuses.clear()
    this.statuses.set(userId, { status, until: instant(now + STATUS_FRESH_MS) })
    return status
  }

  /** Searches for results and ended sessions of other servers whose events were missed. */
  private async notifyMissed(): Promise<void> {
    this.statuses.clear()
    try {
      const since = instant(this.ctx.now() - MISSED_FOR_MS)
      const users = [...this.byUser.keys()]
      const accounts = [...users, ...(await this.practice.listIds(users))]
      for (const order of await unseenResults(this.ctx.db, accounts, since, MAX_MISSED_RESULTS)) {
        if (!this.deliveredResults.has(order.orderId)) this.notifyResult(order)
      }
    } catch (error) {
      this.ctx.log.warn({ err: error }, 'cannot search for missed results')
    }
    if (this.ctx.now() - this.checkedAt >= CHECK_AGAIN_MS) await this.checkSessions()
  }

  private notifyBalanceChanged(userId: string): void {
    this.sendTo(userId, { type: 'balanceChanged' } satisfies BalanceChanged)
  }

  private notifyAlert(userId: string, { id, symbolId, price, seq, time }: FiredAlert): void {
    const symbol = this.catalogue.byId(symbolId)
    if (symbol === null) return
    const data = { id, symbol: symbol.code, price: priceNumber(price, symbol.decimals), q: seq, time_ms: time }
    this.sendTo(userId, { type: 'alert', data } satisfies AlertMessage)
  }

  private notifyNewDevice({ userId, device }: { readonly userId: string; readonly device: string }): void {
    this.sendTo(userId, { type: 'newDevice', data: { device } } satisfies NewDevice)
  }

  private notifyResult(order: SettledOrder): void {
    if (isPracticeId(order.userId)) void this.notifyOwner(order)
    else this.notifyUser(order.userId, order)
  }

  /** Sends the result of a practice order to the owner of the account. If that fails, the next sign-in sends it. */
  private async notifyOwner(order: SettledOrder): Promise<void> {
    try {
      const ownerId = await this.practice.ownerOf(order.userId)
      if (this.byUser.has(ownerId)) this.practiceIds.set(ownerId, order.userId)
      this.notifyUser(ownerId, order)
    } catch (error) {
      this.ctx.log.warn({ err: error }, 'cannot find the owner of a practice account')
    }
  }

  private notifyUser(userId: string, order: SettledOrder): void {
    const connections = this.byUser.get(userId)
    if (connections === undefined) return
    this.deliveredResults.add(order)
    for (const connection of connections) this.send(connection, order)
  }

  private send(connection: Connection, order: SettledOrder): void {
    const symbol = this.catalogue.byId(order.symbolId)
    if (symbol === null)
      this.ctx.log.error({ symbolId: order.symbolId }, 'received a result of a symbol that is not listed')
    else connection.sendWithNext(resultMessage(order, symbol))
  }

  private endSessions(userId: string, tokenHash: Uint8Array | null): void {
    for (const connection of this.byUser.get(userId) ?? []) {
      const known = this.sockets.get(connection)
      if (known === undefined) continue
      if (tokenHash === null || Buffer.compare(tokenHash, known.user.tokenHash) === 0) this.end(connection)
    }
  }

  private end(connection: Connection): void {
    this.drop(connection)
    connection.close(CLOSE.policy, 'session ended')
  }

  /** A session may also expire, or be ended by another process. */
  private scheduleCheck(): void {
    this.cancelCheck = this.ctx.clock.after(CHECK_SESSIONS_MS, () => {
      void this.checkSessions()
      this.scheduleCheck()
    })
  }

  /** Any server may end a key. This server closes the sockets of the key in time even when no message about the end arrives. */
  private scheduleKeyCheck(): void {
    this.cancelKeyCheck = this.ctx.clock.after(CHECK_KEYS_MS, () => {
      void this.check(({ user }) => user.key !== null)
      this.scheduleKeyCheck()
    })
  }

  private async checkSessions(): Promise<void> {
    this.checkedAt = this.ctx.now()
    await this.check(() => true)
  }

  private async check(isChecked: (socket: SignedInSocket) => boolean): Promise<void> {
    try {
      for (const [connection, socket] of this.sockets) {
        if (isChecked(socket) && (await this.authenticate(socket.token, connection.from)) === null) this.end(connection)
      }
    } catch (error) {
      this.ctx.log.warn({ err: error }, 'cannot check the sessions of open sockets')
    }
  }
}
