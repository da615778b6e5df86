import { MAX_STREAMS, STREAM_METHODS, StreamSocketIn } from '#contract/live/stream-socket.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Connection } from '#server/sockets/connection.ts'
import { readStream, type Stream } from '#server/sockets/stream-name.ts'
import { type Follower, StreamTopics, type StreamTicks } from '#server/sockets/stream-topics.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickBatch, ClosedCandle } from '#server/market-data/ticks.ts'

interface Client {
  readonly connection: Connection
  isCombined: boolean
  readonly following: Map<string, Follower>
}

/** The exchanges' error numbers. */
const BAD = { property: 0, type: 1, request: 2, json: 3 } as const

/**
 * Serves `/ws/<stream>/<stream>…`, `/ws` and `/stream?streams=…` as the exchanges do, so that their clients work here.
 * Streams are named in the address or chosen with SUBSCRIBE, which is answered with `{"result":null,"id":…}`.
 */
export class StreamSocket {
  private readonly catalogue: Pick<MarketCatalogue, 'findKnown'>
  private readonly topics: StreamTopics

  constructor({
    ctx,
    ticks,
    catalogue,
  }: { ctx: Ctx; ticks: StreamTicks; catalogue: Pick<MarketCatalogue, 'findKnown'> }) {
    this.catalogue = catalogue
    this.topics = new StreamTopics(ctx, ticks)
  }

  accepted(batch: TickBatch): void {
    this.topics.accepted(batch)
  }

  closed(candle: ClosedCandle): void {
    this.topics.closed(candle)
  }

  /** Publishes figures of a symbol that changed without a tick. */
  dayKnown(symbolId: number): void {
    this.topics.dayKnown(symbolId)
  }

  stop(): void {
    this.topics.stop()
  }

  open(connection: Connection, streams: readonly Stream[], isCombined: boolean): void {
    const client: Client = { connection, isCombined, following: new Map() }
    connection.onText((text) => this.hear(client, text))
    connection.onClose(() => {
      for (const [name, follower] of client.following) this.topics.leave(name, follower)
    })
    for (const stream of streams) this.follow(client, stream)
  }

  private hear(client: Client, text: string): void {
    const json = parseJson(text)
    const read = StreamSocketIn.safeParse(json)
    const id = idOf(text, json)
    if (read.success) {
      const answer = this.act(client, read.data)
      if ('error' in answer) this.say(client, { error: { code: BAD[answer.error], msg: answer.msg } }, id)
      else this.say(client, { result: answer.result }, id ?? 'null')
      // The acknowledgement precedes the first message of the stream.
      if ('follows' in answer) for (const stream of answer.follows ?? []) this.follow(client, stream)
      return
    }
    this.say(client, { error: describe(json) }, id)
    client.connection.countUnreadable()
  }

  private act(client: Client, request: StreamSocketIn): Answer {
    const { method, params = [] } = request
    switch (method) {
      case 'SUBSCRIBE':
      case 'UNSUBSCRIBE': {
        const streams = params.map((name) => (typeof name === 'string' ? readStream(name, this.catalogue) : null))
        const unknown = streams.indexOf(null)
        if (unknown >= 0) return { error: 'request', msg: `Invalid request: unknown stream ${String(params[unknown])}` }
        return this.change(
          client,
          method,
          streams.flatMap((stream) => stream ?? []),
        )
      }
      case 'LIST_SUBSCRIPTIONS':
        return { result: [...client.following.keys()] }
      case 'GET_PROPERTY':
        return params[0] === 'combined' ? { result: client.isCombined } : { error: 'property', msg: 'Unknown property' }
      case 'SET_PROPERTY':
        return this.setCombined(client, params)
    }
  }

  private change(client: Client, method: 'SUBSCRIBE' | 'UNSUBSCRIBE', streams: readonly Stream[]): Answer {
    if (method === 'UNSUBSCRIBE') {
      for (const { name } of streams) this.leave(client, name)
      return { result: null }
    }
    const wanted = new Set([...client.following.keys(), ...streams.map(({ name }) => name)])
    if (wanted.size > MAX_STREAMS) return { error: 'request', msg: 'Invalid request: too many parameters' }
    return { result: null, follows: streams }
  }

  /** Switches the client's message form. Its current streams use the new form from now on. */
  private setCombined(client: Client, [property, value]: NonNullable<StreamSocketIn['params']>): Answer {
    if (property !== 'combined') return { error: 'property', msg: 'Unknown property' }
    if (typeof value !== 'boolean') return { error: 'type', msg: 'Invalid value type: expected Boolean' }
    const names = [...client.following.keys()]
    for (const name of names) this.leave(client, name)
    client.isCombined = value
    return { result: null, follows: names.flatMap((name) => readStream(name, this.catalogue) ?? []) }
  }

  private follow(client: Client, stream: Stream): void {
    if (client.following.has(stream.name)) return
    const follower: Follower = { connection: client.connection, isCombined: client.isCombined }
    client.following.set(stream.name, follower)
    this.topics.follow(stream, follower)
  }

  private leave(client: Client, name: string): void {
    const follower = client.following.get(name)
    if (follower === undefined) return
    client.following.delete(name)
    this.topics.leave(name, follower)
  }

  /** Sends a reply with the id digit by digit. Ids of some clients are larger than a JavaScript number can hold. */
  private say({ connection }: Client, reply: object, id: string | null): void {
    const text = JSON.stringify(reply)
    connection.write(textFrame(id === null ? text : `${text.slice(0, -1)},"id":${id}}`))
  }
}

type Answer =
  | { readonly result: null | boolean | readonly string[]; readonly follows?: readonly Stream[] }
  | { readonly error: keyof typeof BAD; readonly msg: string }

const ID = /"id"\s*:\s*(\d{1,40}|"[^"\\]{0,36}"|null)/

/** Returns the id as text exactly as sent, or null when it cannot be returned. */
function idOf(text: string, json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('id' in json)) return null
  const written = ID.exec(text)?.[1]
  return written !== undefined && JSON.parse(written) === json.id ? written : null
}

function describe(json: unknown): { code: number; msg: string } {
  if (json === undefined) return { code: BAD.json, msg: 'Invalid JSON: expected value at line 1 column 1' }
  if (typeof json !== 'object' || json === null || !('method' in json))
    return { code: BAD.request, msg: 'Invalid request: missing field `method`' }
  const isKnown = STREAM_METHODS.some((method) => method === json.method)
  const known = STREAM_METHODS.map((method) => `\`${method}\``).join(', ')
  return {
    code: BAD.request,
    msg: isKnown
      ? 'Invalid request: wrong or too many parameters'
      : `Invalid request: unknown variant, expected one of ${known}`,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text is not JSON. The reply reports it.
    return undefined
  }
}
