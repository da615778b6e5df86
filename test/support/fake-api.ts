import { afterEach, vi } from 'vitest'

/** A reply of the network: status and body. */
export interface FakeAnswer {
  status?: number
  /** The body of the reply, sent as JSON. */
  body?: unknown
  /** Sent unchanged, instead of a body. */
  text?: string
  /** Sent unchanged, instead of a body. */
  bytes?: Uint8Array<ArrayBuffer>
}

export interface SeenRequest {
  route: string
  query: Readonly<Record<string, string>>
  headers: Headers
  body: unknown
}

type Answers = Record<string, FakeAnswer | ((request: SeenRequest) => FakeAnswer | Promise<FakeAnswer>)>

/**
 * Replaces only the network below the web app: `fetch` replies by method and path.
 * A key is e.g. 'GET /user/countries', without `/api` and query. A call without a configured reply fails like a lost
 * connection.
 */
export function fakeApi(answers: Answers): { seen: SeenRequest[] } {
  const seen: SeenRequest[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const request = {
      route: `${init.method ?? 'GET'} ${url.pathname.replace(/^\/api/, '')}`,
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: bodyOf(init),
    }
    seen.push(request)
    const given = answers[request.route]
    if (given === undefined) throw new TypeError('Failed to fetch')
    const {
      status = 200,
      body,
      text = JSON.stringify(body),
      bytes = text,
    } = typeof given === 'function' ? await given(request) : given
    return new Response(bytes, { status, headers: { 'content-type': 'application/json' } })
  })
  return { seen }
}

function bodyOf({ body }: RequestInit): unknown {
  if (typeof body === 'string') return JSON.parse(body)
  return body instanceof FormData ? Object.fromEntries(body) : undefined
}

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})
