import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hasSoundHead, refuseHead } from '#server/platform/http/sound-head.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Readiness } from '#server/app/health/readiness.ts'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'

export interface OpsServer {
  /** The address that the server listens at, e.g. `http://127.0.0.1:9464`. */
  readonly address: string
  stop(): Promise<void>
}

/**
 * Starts the server for operators: `/metrics`, `/healthz` and `/readyz`. It listens at a separate port, which must not
 * be reachable from outside.
 */
export async function startOpsServer(
  place: { readonly host: string; readonly port: number },
  { metrics, readiness }: { readonly metrics: Metrics; readonly readiness: Readiness },
): Promise<OpsServer> {
  const answers: Readonly<Record<string, () => Promise<{ status: number; type: string; text: string }>>> = {
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
    '/healthz': () => Promise.resolve({ status: 200, type: 'text/plain', text: 'ok\n' }),
    '/readyz': () => {
      const reason = readiness.reason()
      return Promise.resolve({
        status: reason === null ? 200 : 503,
        type: 'text/plain',
        text: `${reason ?? 'ready'}\n`,
      })
    },
  }
  const server = createServer((request, response) => {
    if (!hasSoundHead(request)) return refuseHead(response)
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined
    if (answer === undefined) return void response.writeHead(404).end()
    answer().then(
      ({ status, type, text }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(place.port, place.host)
  await once(server, 'listening').catch((error: unknown) => {
    throw explainListenError(error, place)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${place.host}:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
