import { assert } from '#core/result.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'

export interface SmsConfig {
  /** The address for posting messages, with the placeholders `{to}`, `{text}` and `{from}`. */
  readonly url: string
  /** The JSON body to post, with the same placeholders. */
  readonly body: string
  /** Sent as `Authorization: Bearer …`. If it contains a space, it is the whole header. */
  readonly token: string | undefined
  /** The sender: a number, or a name that the provider knows. */
  readonly from: string
}

/** The provider did not accept the message. Contains neither receiver nor text. */
export class SmsError extends Error {
  override readonly name = 'SmsError'
  readonly code: string
  constructor(code: string) {
    super(`the SMS provider did not take the message: ${code}`)
    this.code = code
  }
}

const TIMEOUT_MS = 10_000
/** Pauses before the second and third attempt. */
const PAUSES_MS = [500, 2_000]

/**
 * Posts messages to an SMS provider over HTTP. Temporary failures (no reply, 429, a server error) are tried three
 * times. A refusal is final.
 */
export function createSmsMessenger(config: SmsConfig, clock: Clock): Messenger {
  const headers = {
    'content-type': 'application/json',
    ...(config.token !== undefined && {
      authorization: config.token.includes(' ') ? config.token : `Bearer ${config.token}`,
    }),
  }
  return {
    usesOutbox: false,
    async send({ to, text }) {
      const places = { to, text, from: config.from }
      const address = fill(config.url, places, encodeURIComponent)
      // Values are escaped, because the template has them between quotes.
      const body = fill(config.body, places, (value) => JSON.stringify(value).slice(1, -1))
      for (const pauseMs of [...PAUSES_MS, null]) {
        const outcome = await post(clock, address, { method: 'POST', headers, body })
        if (outcome === 'taken') return 'sms'
        if (pauseMs === null || !outcome.mayWorkLater) throw new SmsError(outcome.code)
        await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
      }
      throw new SmsError('unreachable')
    },
  }
}

type Outcome = 'taken' | { readonly code: string; readonly mayWorkLater: boolean }

async function post(clock: Clock, address: string, request: RequestInit): Promise<Outcome> {
  const timer = new AbortController()
  const cancel = clock.after(TIMEOUT_MS, () => timer.abort())
  try {
    const response = await fetch(address, { ...request, signal: timer.signal, redirect: 'error' })
    // The reply is read completely, so that the connection can be reused.
    await response.arrayBuffer()
    if (response.ok) return 'taken'
    const { status } = response
    return { code: `HTTP_${status}`, mayWorkLater: status === 429 || status >= 500 }
  } catch {
    return { code: timer.signal.aborted ? 'TIMEOUT' : 'NO_CONNECTION', mayWorkLater: true }
  } finally {
    cancel()
  }
}

function fill(template: string, places: Readonly<Record<string, string>>, write: (value: string) => string): string {
  return template.replace(/\{(to|text|from)\}/g, (place, name: string) => {
    const value = places[name]
    assert(value !== undefined, `${place} is known`)
    return write(value)
  })
}
