import { ProviderError, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { readJson } from '#server/market-data/feeds/providers/exact-json.ts'
import { createHideKey, type HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import { bannedMs, retryAfterMs } from '#server/market-data/feeds/providers/retry-after.ts'
import { toIso } from '#core/time/instant.ts'
import { createNap, type Nap } from '#server/platform/concurrency/cancellable-sleep.ts'

export interface RestLimits {
  readonly answerWithinMs: number
  /** The largest answer we take. */
  readonly mostBytes: number
  /** The least time between two calls. */
  readonly betweenCallsMs: number
  /** How long to leave a provider alone that says "too often" without saying how long. */
  readonly restMs: number
}

export const REST_LIMITS: RestLimits = {
  answerWithinMs: 15_000,
  mostBytes: 8_388_608,
  betweenCallsMs: 100,
  restMs: 60_000,
}

export interface RestAddress {
  readonly url: string
  /** The key belongs here, never into the address: addresses are logged. */
  readonly headers?: Readonly<Record<string, string>>
  /** Kept out of all errors. */
  readonly key?: string
}

/** Says what a provider's own words of an error mean; null leaves it to the HTTP status. */
export type ReadRefusal = (status: number, body: unknown) => ProviderError | null

interface Call {
  readonly what: string
  readonly address: string
  readonly init: RequestInit
}

const OUR_FAULT = 'was stopped'

/**
 * Asks a provider for JSON, one call at a time and no faster than it allows. Whatever goes wrong is a `ProviderError`
 * that holds neither the query nor a key.
 */
export class RestClient {
  readonly #tools: Pick<ProviderTools, 'clock'>
  readonly #address: RestAddress
  readonly #limits: RestLimits
  readonly #readRefusal: ReadRefusal
  readonly #hideKey: HideKey
  #turn: Promise<unknown> = Promise.resolve()
  #freeAt = 0
  readonly #stop = new AbortController()
  readonly #nap: Nap
  readonly #rest: RestPeriod

  constructor(
    tools: Pick<ProviderTools, 'clock'>,
    address: RestAddress,
    limits: RestLimits,
    readRefusal: ReadRefusal = () => null,
    rest: RestPeriod = new RestPeriod(tools.clock),
  ) {
    this.#rest = rest
    this.#tools = tools
    this.#nap = createNap(tools.clock)
    this.#address = address
    this.#limits = limits
    this.#readRefusal = readRefusal
    this.#hideKey = createHideKey(address.key)
  }

  /** The body of the answer. Waits for its turn. */
  async get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    const { headers = {}, url } = this.#address
    const address = `${url.replace(/\/$/, '')}${path}${queryText(query)}`
    const reply = await this.fetch(path, address, { headers: { accept: 'application/json', ...headers } })
    return this.#judge(path, reply, await reply.text())
  }

  /** Breaks off what is under way; every call from now on fails. */
  stop(): void {
    this.#stop.abort()
    this.#nap.end()
  }

  /**
   * One call with all limits, whatever it answers but "too often"; a library that has to use it sees a plain `fetch`.
   * `what` stands for the address in errors.
   */
  fetch(what: string, address: string, init: RequestInit): Promise<Response> {
    const answer = this.#inTurn(this.#turn, { what, address, init })
    // Whoever asked hears of the failure; the next in turn need not.
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  async #inTurn(before: Promise<unknown>, call: Call): Promise<Response> {
    await before
    this.#refuseDuringRest(call.what)
    await this.#wait(Math.max(this.#freeAt - this.#tools.clock.now(), this.#rest.leftMs))
    this.#refuseDuringRest(call.what)
    this.#freeAt = this.#tools.clock.now() + this.#limits.betweenCallsMs
    return await this.#ask(call)
  }

  async #ask({ what, address, init }: Call): Promise<Response> {
    const late = new AbortController()
    const cancel = this.#tools.clock.after(this.#limits.answerWithinMs, () => late.abort())
    try {
      const signal = AbortSignal.any([late.signal, this.#stop.signal])
      const reply = await fetch(address, { ...init, redirect: 'error', signal })
      const text = await this.#read(what, reply)
      this.#noticeTooOften(what, reply, text)
      return new Response(hasNoBody(reply.status) ? null : text, { status: reply.status, headers: reply.headers })
    } catch (error) {
      if (error instanceof ProviderError) throw error
      if (this.#stop.signal.aborted) throw new ProviderError(`${what} ${OUR_FAULT}`, { retry: false })
      throw new ProviderError(`${what} ${late.signal.aborted ? 'took too long' : 'could not be asked'}`, {
        retry: true,
      })
    } finally {
      cancel()
    }
  }

  async #read(what: string, reply: Response): Promise<string> {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of reply.body ?? []) {
      bytes += part.byteLength
      if (bytes > this.#limits.mostBytes) throw new ProviderError(`${what} answered with too much`, { retry: false })
      parts.push(part)
    }
    return Buffer.concat(parts).toString()
  }

  #noticeTooOften(what: string, { status, headers }: Response, text: string): void {
    const isTooOften = status === 429 || status === 418
    if (!isTooOften && status < 500) return
    const now = this.#tools.clock.now()
    const askedMs = Math.max(retryAfterMs(headers.get('retry-after'), now), isTooOften ? bannedMs(text, now) : 0)
    const why = `${what} was answered with HTTP ${status}`
    this.#rest.begin(askedMs > 0 || !isTooOften ? askedMs : this.#limits.restMs, why)
    if (isTooOften) throw new ProviderError(`${what} was asked too often`, { retry: true })
  }

  /** Who would have to wait for long asks again later: others wait behind it. */
  #refuseDuringRest(what: string): void {
    const { leftMs, until } = this.#rest
    if (until === null || leftMs <= this.#limits.restMs) return
    throw new ProviderError(`${what} is not asked before ${toIso(until)}: the provider told us to wait`, {
      retry: true,
    })
  }

  #judge(path: string, { ok, status }: Response, text: string): unknown {
    // The words of a refusal become an error, which is kept.
    const body = readable(ok ? text : this.#hideKey(text))
    if (ok && body !== undefined) return body
    const refusal = this.#readRefusal(status, body)
    if (refusal !== null) throw refusal
    if (ok) throw new ProviderError(`${path} answered with what is not JSON`, { retry: true })
    throw new ProviderError(`${path} was answered with HTTP ${status}`, { retry: status >= 500 || status === 408 })
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#stop
    if (!signal.aborted && ms > 0) await this.#nap.take(ms)
    if (signal.aborted) throw new ProviderError(OUR_FAULT, { retry: false })
  }
}

function queryText(query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** The JSON in a text; undefined when there is none. */
function readable(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}
