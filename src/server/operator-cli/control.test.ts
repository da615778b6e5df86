import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import { type ControlServer, startControlServer } from '#server/operator-cli/control-server.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let folder: string
let path: string
const servers: ControlServer[] = []
beforeEach(async () => {
  ctx = createTestContext(database.db)
  folder = mkdtempSync(join(tmpdir(), 'fairwick-control-'))
  path = controlPath(folder)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<ControlServer> {
  const { db } = database
  const parts = { ctx, settings: await loadSettings(db), catalogue: await loadCatalogue(ctx), dataDir: folder }
  const server = await startControlServer(parts)
  servers.push(server)
  return server
}
const ask = (...args: string[]) => askServer(path, { args, who: 'ann' })

it('the control socket runs a command and returns its result', async () => {
  await start()
  expect(await ask('settings', 'set', 'site_name', '"Harbour"')).toEqual({
    exitCode: 0,
    lines: ['site_name is "Harbour".'],
  })
  expect(await ask('markets', 'close', 'gold', '--reason', 'x')).toMatchObject({ exitCode: 2 })
  const [action] = await ctx.db.selectFrom('admin_action').select(['who', 'what']).execute()
  expect(action).toEqual({ who: 'ann', what: 'settings set' })
})

it("the control socket admits only the server's operating-system user, and disappears at the stop", async () => {
  const server = await start()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await server.stop()
  expect(existsSync(path)).toBe(false)
  expect(await ask('settings', 'list')).toBeNull()
})

it('a starting server replaces the control socket of a killed server', async () => {
  const dead = createServer()
  dead.listen(join(folder, 'dead'))
  await once(dead, 'listening')
  renameSync(join(folder, 'dead'), path)
  dead.close()
  await once(dead, 'close')
  expect(existsSync(path)).toBe(true)
  expect(await ask('settings', 'list')).toBeNull()
  await start()
  expect(await ask('settings', 'list')).toMatchObject({ exitCode: 0 })
})

it('a starting server replaces a file at the path of the control socket', async () => {
  writeFileSync(path, 'x')
  await start()
  expect(await ask('settings', 'list')).toMatchObject({ exitCode: 0 })
})

it('a starting server does not replace the control socket of a running server', async () => {
  await start()
  const second = await start()
  expect(ctx.lines.at(-1)?.message).toMatch(/another server/)
  await second.stop()
  expect(await ask('settings', 'list')).toMatchObject({ exitCode: 0 })
})

it('if the path of the control socket is too long, the server starts without the socket and logs this', async () => {
  const deep = join(folder, 'x'.repeat(120))
  const { db } = database
  await startControlServer({
    ctx,
    settings: await loadSettings(db),
    catalogue: await loadCatalogue(ctx),
    dataDir: deep,
  })
  expect(ctx.lines.at(-1)?.message).toMatch(/too long/)
})

it.each(['nonsense\n', '{"args":"settings list","who":"ann"}\n', '{"args":["settings","list"]}\n'])(
  'refuses the request %j and runs no command',
  async (sent) => {
    await start()
    const socket = connect(path)
    socket.write(sent)
    let replyText = ''
    for await (const chunk of socket) replyText += String(chunk)
    expect(JSON.parse(replyText)).toMatchObject({ exitCode: 2 })
    expect(await ctx.db.selectFrom('admin_action').select('id').execute()).toEqual([])
  },
)

it('the control socket closes connections that send nothing or too much', async () => {
  await start()
  const silent = connect(path)
  await once(silent, 'connect')
  // The server accepts a connection slightly later than the client connects. A reply to a later connection shows that
  // the silent connection was accepted.
  await ask('settings', 'list')
  ctx.clock.advance(10_000)
  await once(silent, 'close')
  const loud = connect(path)
  const hungUp = new Promise((resolve) => loud.on('error', () => {}).on('close', resolve))
  loud.write('x'.repeat(300_000))
  await hungUp
  expect(await ask('settings', 'list')).toMatchObject({ exitCode: 0 })
})
