import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { runSlowHeaders } from './slow.ts'
import { runSqlmap } from './sqlmap.ts'
import { runWapiti } from './wapiti.ts'

interface Options {
  readonly databaseUrl: string
  readonly folder: string
}

/**
 * Runs each scanner against a deliberately vulnerable server. If a scanner finds nothing there, its clean result for
 * the product proves nothing.
 */
export async function runControl({
  databaseUrl,
  folder,
}: Options): Promise<{ tool: string; found: boolean; what: string }[]> {
  const weak = await startWeakServer(databaseUrl)
  try {
    const { address } = weak
    const target = {
      method: 'GET',
      path: '/item',
      params: {},
      query: { name: 'lamp' },
      body: null,
      free: new Set(['name']),
    } as const
    const [sqlmap, wapiti] = await Promise.all([
      runSqlmap([target], { address, folder: join(folder, 'control-sqlmap'), maxMs: 180_000 }),
      runWapiti({
        address,
        folder: join(folder, 'control-wapiti'),
        maxMs: 180_000,
        moduleSeconds: 60,
        modules: 'sql,xss',
      }),
    ])
    const slow = await runSlowHeaders({
      address,
      folder: join(folder, 'control-slow'),
      connections: 60,
      seconds: 12,
      largeFile: '/',
    })
    const kinds = [...new Set(wapiti.findings.map(({ kind }) => kind))]
    return [
      { tool: 'sqlmap', found: sqlmap.findings.length > 0, what: 'SQL in a parameter' },
      {
        tool: 'wapiti',
        found: ['SQL Injection', 'Cross Site Scripting'].every((kind) => kinds.includes(kind)),
        what: 'SQL and a script in a parameter',
      },
      { tool: 'slowhttptest', found: slow.unanswered > 0, what: 'a server of 20 connections' },
    ]
  } finally {
    await weak.close()
  }
}

/**
 * Starts a server that puts input unescaped into a statement and a page, and accepts at most twenty connections without
 * any timeout.
 */
async function startWeakServer(databaseUrl: string) {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const answer = async (url: URL): Promise<[status: number, html: string]> => {
    if (url.pathname === '/scan-map')
      return [200, '<title>map</title><a href="/item?name=lamp">item</a> <a href="/hello?who=you">hello</a>']
    if (url.pathname === '/hello') return [200, `<title>hello</title><p>hello ${url.searchParams.get('who') ?? ''}</p>`]
    try {
      const name = url.searchParams.get('name') ?? ''
      const { rows } = await database.query<{ name: string }>(
        `select name from (values ('lamp'), ('table')) as item(name) where name = '${name}'`,
      )
      return [200, `<title>items</title><p>${rows.map((row) => row.name).join()}</p>`]
    } catch (error) {
      return [500, `<title>error</title>PostgreSQL query failed: ERROR: ${String(error)}`]
    }
  }
  const server = createServer({ headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
    void answer(new URL(request.url ?? '/', 'http://weak')).then(([status, html]) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(html),
    )
  }).listen(0, '127.0.0.1')
  server.maxConnections = 20
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await database.end()
    },
  }
}
