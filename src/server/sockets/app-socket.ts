import type { z } from 'zod'
import { AppSocketIn, type MarketsChanged, type Pong } from '#contract/live/app-socket.ts'
import type { MarketStatus } from '#contract/markets.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { ok, refuse, type Refusal, type Result } from '#core/result.ts'
import type { Authenticate, AuthenticatedUser, Device } from '#server/platform/http/signed-in.ts'
import type { PracticeAccounts } from '#server/trading/orders/practice-accounts.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Engine } from '#server/trading/engine/engine.ts'
import { CLOSE, type Connection } from '#server/sockets/connection.ts'
import { EveryTick, MAX_UNCONFLATED_SYMBOLS } from '#server/sockets/unconflated-ticks.ts'
import { FanOut } from '#server/sockets/fan-out.ts'
import { acceptedMessage, refusedMessage, toOrderRequest } from '#server/sockets/order-messages.ts'
import type { RealityNotifications } from '#server/sockets/reality-notifications.ts'
import type { KeyMessages } from '#server/sockets/key-messages.ts'
import { closedReason, codeOf, errorMessage, faultMessage, fieldOf } from '#server/sockets/refused-messages.ts'
import { isRecord, parseJson } from '#server/sockets/parse-json.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import { quoteOf, tickMessage } from '#server/market-data/wire/tick-messages.ts'
import type { UserNotifications } from '#server/sockets/user-notifications.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { isLanguage, type Language } from '#server/platform/i18n/messages.ts'
import type { TickBatch, TickService } from '#server/market-data/ticks.ts'

type Message = z.output<typeof AppSocketIn>

/** Whether the country rules refuse the orders of a user on a connection. */
export type IsTradeRefused = (user: Pick<AuthenticatedUser, 'country'>, from: Pick<Device, 'country'>) => boolean

export interface AppSocketOptions {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'latest' | 'quote'>
  readonly engine: Pick<Engine, 'place'>
  readonly catalogue: MarketCatalogue
  readonly authenticate: Authenticate
  readonly marketStatus: () => MarketStatus
  readonly users: UserNotifications
  readonly reality: Pick<RealityNotifications, 'show'>
  readonly keys: KeyMessages
  readonly practice: Pick<PracticeAccounts, 'idOf'>
  readonly isTradeRefused: IsTradeRefused
  readonly defaultLanguage: Language
  readonly flushMs: number
}

/** Maximum unanswered messages of one client. Further messages are answered with `busy`. */
const MAX_PENDING_MESSAGES = 64

interface Client {
  readonly connection: Connection
  /** The language in the socket's URL. Null: the user's own language is used. */
  readonly chosenLanguage: Language | null
  language: Language
  getsPrices: boolean
  /** The symbols of the last `watch` message. Null before the first `watch` message: all symbols. */
  watched: { readonly ids: ReadonlySet<number>; readonly every: boolean } | null
  pending: number
  /** Resolves when the last `subscribe` is processed. A `seen` message must wait for it. */
  signingIn: Promise<void>
}

/**
 * Serves `/ws/app`: prices, pongs, orders and results. Each message carries its own token, and the socket itself
 * authenticates nothing.
 */
export class AppSocket {
  private readonly options: AppSocketOptions
  private readonly fanOut: FanOut
  private readonly everyTick: EveryTick
  private readonly clients = new Set<Client>()

  constructor(options: AppSocketOptions) {
    this.options = options
    const { ctx, ticks, catalogue, flushMs } = options
    this.fanOut = new FanOut({
      ctx,
      flushMs,
      encode: (symbolId) => {
        const symbol = catalogue.byId(symbolId)
        const quote = ticks.quote(symbolId)
        if (symbol === null || quote === null || this.awaitsFirstTick(symbol)) return null
        return JSON.stringify(tickMessage(symbol, quote))
      },
      frames: (texts) => textFrame(texts.length === 1 ? texts.join('') : `[${texts.join(',')}]`),
    })
    this.everyTick = new EveryTick(ctx, (tick) => {
      const symbol = catalogue.byId(tick.symbolId)
      const quote = ticks.quote(tick.symbolId)
      return symbol && quote && JSON.stringify({ ...tickMessage(symbol, quoteOf(tick, quote)), q: tick.seq })
    })
  }

  accepted({ ticks }: TickBatch): void {
    if (ticks.length === 0) return
    this.everyTick.accepted(ticks)
    this.fanOut.changed(new Set(ticks.map((tick) => tick.symbolId)))
  }

  /** Publishes figures of a symbol that changed without a tick. */
  dayKnown(symbolId: number): void {
    this.fanOut.changed([symbolId])
  }

  /**
   * Notifies all clients that the markets have changed. Clients that watch all prices also receive prices of new
   * symbols.
   */
  marketsChanged(): void {
    const changed: MarketsChanged = { type: 'marketsChanged', pingMarketStatus: this.options.marketStatus() }
    for (const client of this.clients) {
      client.connection.send(changed)
      if (client.getsPrices && client.watched === null) this.tellPrices(client)
    }
  }

  stop(): void {
    this.fanOut.stop()
  }

  open(connection: Connection, lang: string | null): void {
    const chosenLanguage = lang !== null && isLanguage(lang) ? lang : null
    const client: Client = {
      connection,
      chosenLanguage,
      language: chosenLanguage ?? this.options.defaultLanguage,
      getsPrices: false,
      watched: null,
      pending: 0,
      signingIn: Promise.resolve(),
    }
    this.clients.add(client)
    connection.onText((text) => this.hear(client, text))
    connection.onClose(() => {
      this.clients.delete(client)
      this.fanOut.drop(connection)
      this.everyTick.drop(connection)
      this.options.users.drop(connection)
    })
  }

  private hear(client: Client, text: string): void {
    const json = parseJson(text)
    const parsed = AppSocketIn.safeParse(json)
    if (!parsed.success) {
      this.refuseMessage(client, json, parsed.error)
      return
    }
    if (client.pending >= MAX_PENDING_MESSAGES) {
      this.fail(client, parsed.data, refuse('busy'))
      return
    }
    void this.answer(client, parsed.data)
  }

  private async answer(client: Client, clientMessage: Message): Promise<void> {
    client.pending += 1
    try {
      await this.act(client, clientMessage)
    } catch (error) {
      this.options.ctx.log.error({ err: error, action: clientMessage.action }, 'cannot process a socket message')
      client.connection.send(faultMessage(clientMessage, client.language))
      // After a failed subscription the client would wait in vain for its results. Closing the socket makes it
      // reconnect and subscribe again.
      if (clientMessage.action === 'subscribe') client.connection.close(CLOSE.failed, 'try again')
    } finally {
      client.pending -= 1
    }
  }

  private act(client: Client, clientMessage: Message): Promise<void> | void {
    switch (clientMessage.action) {
      case 'subscribe':
        // One after another: the last subscription decides whose socket it is.
        client.signingIn = client.signingIn
          .catch(() => undefined)
          .then(() => this.subscribe(client, clientMessage.token ?? null))
        return client.signingIn
      case 'ping':
        return this.ping(client, clientMessage.token ?? null)
      case 'newTrade':
        return this.newTrade(client, clientMessage)
      case 'watch':
        return this.watch(client, clientMessage.symbols, clientMessage.every ?? false)
      case 'seen':
        return this.seen(client, clientMessage.ids)
    }
  }

  private async subscribe(client: Client, token: string | null): Promise<void> {
    const { keys, users, reality } = this.options
    // Prices are public, so they are sent before authentication.
    this.tellPrices(client)
    if (token === null) return users.drop(client.connection)
    const admitted = await this.admit(client, 'subscribe', token)
    users.drop(client.connection)
    if (!admitted.ok) return client.connection.send(errorMessage(admitted, client.language))
    const user = admitted.value
    await this.speakTo(client, user)
    if (!client.connection.isOpen) return
    // Checked directly before the sign-in, because other sockets of the key may sign in during any wait.
    const refusal = keys.socketRefusal(client.connection, user)
    if (refusal !== null) return client.connection.send(errorMessage(refusal, client.language))
    await users.signIn(client.connection, user, token)
    await reality.show(client.connection, user.userId)
  }

  /** Finds the user of a message's token, or why the message is refused. */
  private async admit(
    client: Client,
    action: Message['action'],
    token: string,
  ): Promise<Result<AuthenticatedUser, RefusalCode>> {
    const user = token === '' ? null : await this.options.authenticate(token, client.connection.from)
    if (user === null) return refuse('not_signed_in')
    return this.options.keys.refusal(user, action) ?? ok(user)
  }

  private async ping(client: Client, token: string | null): Promise<void> {
    const { ctx, users, marketStatus } = this.options
    const admitted = token === null ? null : await this.admit(client, 'ping', token)
    if (admitted?.ok === false) {
      client.connection.send(errorMessage(admitted, client.language))
      return
    }
    const user = admitted?.value ?? null
    const status = user === null ? null : await users.tradeStatus(user.userId)
    const pong: Pong = {
      type: 'pong',
      data: {
        tradeStatus: status === null || (status.allowed && status.closed === null) ? 1 : 0,
        tradeReason: status === null ? '' : closedReason(status, client.language),
        serverTime: ctx.now(),
      },
      pingMarketStatus: marketStatus(),
    }
    client.connection.send(pong)
  }

  private async newTrade(client: Client, clientMessage: Extract<Message, { action: 'newTrade' }>): Promise<void> {
    const { ctx, engine, catalogue, reality, keys, practice } = this.options
    // Read before any wait, because the acceptance time of an order is measured from here.
    const receivedAt = ctx.now()
    const admitted = await this.admit(client, 'newTrade', clientMessage.token ?? '')
    if (!admitted.ok) return this.fail(client, clientMessage, admitted)
    const { userId, owesConsent, key } = admitted.value
    const isPlaceRefused = this.options.isTradeRefused(admitted.value, client.connection.from)
    // A program must choose an id for each order. Otherwise a repeated request might place the order twice.
    if (key !== null && !clientMessage.data.clientOrderId)
      return this.fail(client, clientMessage, refuse('field_required', { field: 'clientOrderId' }))
    const account = clientMessage.data.account ?? 'live'
    const accountId = account === 'live' ? userId : await practice.idOf(userId)
    if (accountId === null) return this.fail(client, clientMessage, refuse('practice_none'))
    if (key !== null && account !== 'live') return this.fail(client, clientMessage, refuse('key_not_allowed'))
    const user = { userId: accountId, owesConsent, isPlaceRefused }
    const request = toOrderRequest(clientMessage.data, { ...user, receivedAt }, () => ctx.newId())
    if (!request.ok) return this.fail(client, clientMessage, request)
    if (await reality.show(client.connection, userId))
      return this.fail(client, clientMessage, refuse('reality_check_due'))
    const placed = await (key === null ? engine.place(request.value) : keys.place(key, request.value, engine))
    if (!placed.ok) return this.fail(client, clientMessage, placed)
    const symbol = catalogue.byId(placed.value.symbolId)
    if (symbol === null) throw new Error('accepted an order for a symbol that is not listed')
    client.connection.send(acceptedMessage(placed.value, symbol, account))
  }

  private watch(client: Client, names: readonly string[], every: boolean): void {
    const ids = new Set<number>()
    for (const name of names) {
      const symbol = this.options.catalogue.findKnown(name)
      if (symbol === null) {
        client.connection.send(errorMessage(refuse('symbol_unknown'), client.language))
        return
      }
      ids.add(symbol.id)
    }
    if (every && ids.size > MAX_UNCONFLATED_SYMBOLS) {
      client.connection.send(errorMessage(refuse('bad_request'), client.language))
      return
    }
    client.watched = { ids, every }
    this.tellPrices(client)
  }

  /** Sends what the client watches from now on, starting with the latest prices. */
  private tellPrices(client: Client): void {
    const { connection, watched } = client
    const { ticks, catalogue } = this.options
    client.getsPrices = true
    this.everyTick.drop(connection)
    this.fanOut.drop(connection)
    if (watched === null) this.fanOut.watch(connection, new Set(catalogue.known.map(({ id }) => id)))
    else if (!watched.every) this.fanOut.watch(connection, watched.ids)
    else {
      const last = [...watched.ids].flatMap((id) => ticks.latest(id) ?? [])
      this.everyTick.watch(connection, watched.ids, last)
    }
  }

  /**
   * Returns whether an open market has no tick yet. A client that receives a price assumes that it can order, but no
   * order is possible before the first tick.
   */
  private awaitsFirstTick({ id, marketType }: ListedSymbol): boolean {
    return this.options.ticks.latest(id) === null && this.options.marketStatus()[marketType]
  }

  private async seen(client: Client, ids: readonly string[]): Promise<void> {
    await client.signingIn
    const user = this.options.users.userOf(client.connection)
    const refusal = user === null ? refuse('not_signed_in') : this.options.keys.refusal(user, 'seen')
    if (user === null || refusal !== null)
      client.connection.send(errorMessage(refusal ?? refuse('not_signed_in'), client.language))
    else await this.options.users.seen(user.userId, ids)
  }

  private async speakTo(client: Client, user: AuthenticatedUser): Promise<void> {
    if (client.chosenLanguage !== null) return
    const { language } = await this.options.users.tradeStatus(user.userId)
    if (isLanguage(language)) client.language = language
  }

  private fail(client: Client, clientMessage: Message, refusal: Refusal<RefusalCode>): void {
    const reply =
      clientMessage.action === 'newTrade'
        ? refusedMessage(refusal, clientMessage.data.clientOrderId ?? null, client.language)
        : errorMessage(refusal, client.language)
    client.connection.send(reply)
  }

  /** A malformed trade is a mistake of its user and gets a refusal. Other malformed messages get a general error. */
  private refuseMessage(client: Client, json: unknown, error: z.ZodError): void {
    if (isRecord(json) && json['action'] === 'newTrade') {
      const data = isRecord(json['data']) ? json['data'] : {}
      const id = data['clientOrderId']
      const refusal = refuse(codeOf(error), fieldOf(error))
      client.connection.send(refusedMessage(refusal, typeof id === 'string' ? id : null, client.language))
      return
    }
    client.connection.send(errorMessage(refuse('bad_request'), client.language))
    client.connection.countUnreadable()
  }
}
