import { ProviderError, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { readJson } from '#server/market-data/feeds/providers/exact-json.ts'
import { createHideKey, type HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import { bannedMs, retryAfterMs } from '#server/market-data/feeds/providers/retry-after.ts'
import { toIso } from '#core/time/instant.ts'
import { createCancellableSleep, type CancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'

export interface RestLimits {
  readonly answerWithinMs: number
  /** The maximum size of a response. */
  readonly maxBytes: number
  /** The minimum time between two calls. */
  readonly betweenCallsMs: number
  /** The pause after a "too often" response that names no duration. */
  readonly restMs: number
}

export const REST_LIMITS: RestLimits = {
  answerWithinMs: 15_000,
  maxBytes: 8_388_608,
  betweenCallsMs: 100,
  restMs: 60_000,
}

export interface RestAddress {
  readonly url: string
  /** The key belongs in a header, never in the address, because addresses are logged. */
  readonly headers?: Readonly<Record<string, string>>
  /** The key, which is removed from all error texts. */
  readonly key?: string
}

/** Interprets a provider's error body. Null leaves the decision to the HTTP status. */
export type ReadRefusal = (status: number, body: unknown) => ProviderError | null

interface Call {
  readonly what: string
  readonly address: string
  readonly init: RequestInit
}

const OUR_FAULT = 'was stopped'

/**
 * Calls a provider's JSON API, one call at a time and within its rate limit. Every failure is a `ProviderError` that contains neither query
 * nor key.
 */
export class RestClient {
  readonly #tools: Pick<ProviderTools, 'clock'>
  readonly #address: RestAddress
  readonly #limits: RestLimits
  readonly #readRefusal: ReadRefusal
  readonly #hideKey: HideKey
  #turn: Promise<unknown> = Promise.resolve()
  #freeAt = Number.NEGATIVE_INFINITY
  readonly #stop = new AbortController()
  readonly #pause: CancellableSleep
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
    this.#pause = createCancellableSleep(tools.clock)
    this.#address = address
    this.#limits = limits
    this.#readRefusal = readRefusal
    this.#hideKey = createHideKey(address.key)
  }

  /** Returns the response body. Waits for its turn. */
  async get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    const { headers = {}, url } = this.#address
    const address = `${url.replace(/\/$/, '')}${path}${queryText(query)}`
    const reply = await this.fetch(path, address, { headers: { accept: 'application/json', ...headers } })
    return this.#judge(path, reply, await reply.text())
  }

  /** Aborts running calls. Every later call fails. */
  stop(): void {
    this.#stop.abort()
    this.#pause.wake()
  }

  /**
   * One call with all limits, for a library that needs a plain `fetch`. Returns any response except "too often", which throws. `what`
   * replaces the address in errors.
   */
  fetch(what: string, address: string, init: RequestInit): Promise<Response> {
    const answer = this.#inTurn(this.#turn, { what, address, init })
    // The caller gets the failure; the next call in the queue must not.
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  async #inTurn(before: Promise<unknown>, call: Call): Promise<Response> {
    await before
    this.#refuseDuringRest(call.what)
    await this.#wait(Math.max(this.#freeAt - this.#tools.clock.steady(), this.#rest.leftMs))
    this.#refuseDuringRest(call.what)
    this.#freeAt = this.#tools.clock.steady() + this.#limits.betweenCallsMs
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
      throw new ProviderError(`${what} ${late.signal.aborted ? 'took too long' : 'could not be reached'}`, {
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
      if (bytes > this.#limits.maxBytes)
        throw new ProviderError(`${what} returned too large a response`, { retry: false })
      parts.push(part)
    }
    return Buffer.concat(parts).toString()
  }

  #noticeTooOften(what: string, { status, headers }: Response, text: string): void {
    const isTooOften = status === 429 || status === 418
    if (!isTooOften && status < 500) return
    const now = this.#tools.clock.now()
    const requestedMs = Math.max(retryAfterMs(headers.get('retry-after'), now), isTooOften ? bannedMs(text, now) : 0)
    const why = `${what} returned HTTP ${status}`
    this.#rest.begin(requestedMs > 0 || !isTooOften ? requestedMs : this.#limits.restMs, why)
    if (isTooOften) throw new ProviderError(`${what} was called too often`, { retry: true })
  }

  /** Fails instead of waiting through a long pause, because other calls would wait behind it. The caller retries later. */
  #refuseDuringRest(what: string): void {
    const { leftMs, until } = this.#rest
    if (until === null || leftMs <= this.#limits.restMs) return
    throw new ProviderError(`${what} is not called before ${toIso(until)}: the provider told us to wait`, {
      retry: true,
    })
  }

  #judge(path: string, { ok, status }: Response, text: string): unknown {
    // The text of a refusal becomes part of an error, which is stored.
    const body = readable(ok ? text : this.#hideKey(text))
    if (ok && body !== undefined) return body
    const refusal = this.#readRefusal(status, body)
    if (refusal !== null) throw refusal
    if (ok) throw new ProviderError(`${path} returned a response that is not JSON`, { retry: true })
    throw new ProviderError(`${path} returned HTTP ${status}`, { retry: status >= 500 || status === 408 })
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#stop
    if (!signal.aborted && ms > 0) await this.#pause.sleep(ms)
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

/** Parses a text as JSON; undefined when it is not JSON. */
function readable(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}
