import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { SECOND_MS } from '#core/time/instant.ts'
import type { AdminParts } from '#server/operator-cli/command.ts'
import { isListening } from '#server/operator-cli/control-client.ts'
import { ControlRequest, controlPath, isTooLong } from '#server/operator-cli/control-protocol.ts'
import { type Printed, runCommand } from '#server/operator-cli/run-command.ts'

const MAX_REQUEST_BYTES = 200_000
const WAIT_FOR_REQUEST_MS = 10 * SECOND_MS

export interface ControlServer {
  stop(): Promise<void>
}

/**
 * Accepts commands on a Unix socket in the data folder, which only the server's own operating-system user may open.
 * A server that cannot listen there logs a warning and continues. A socket left by a killed server is replaced.
 */
export async function startControlServer(parts: AdminParts): Promise<ControlServer> {
  const { ctx, dataDir } = parts
  const path = controlPath(dataDir)
  if (isTooLong(path)) {
    ctx.log.warn({ path }, 'admin commands cannot reach this server: the path of the data folder is too long')
    return { stop: () => Promise.resolve() }
  }
  if (await isListening(path)) {
    ctx.log.warn({ path }, 'another server in this data folder receives the admin commands, this one does not')
    return { stop: () => Promise.resolve() }
  }
  const open = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    serve(parts, socket, (command) => {
      running.add(command)
      void command.finally(() => running.delete(command))
    })
  })
  try {
    const inode = await listenAt(server, dataDir, path)
    return {
      async stop() {
        // Running commands finish and reply before the database closes.
        await Promise.all(running)
        await close(server, open)
        // Another server may have replaced the socket.
        if (statSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true })
      },
    }
  } catch (error) {
    server.close()
    ctx.log.warn({ err: error, path }, 'admin commands cannot reach this server')
    return { stop: () => Promise.resolve() }
  }
}

/**
 * Creates the socket in a private folder, sets its mode, and moves it into place, so that it is never open to others.
 */
async function listenAt(server: Server, dataDir: string, path: string): Promise<number> {
  mkdirSync(dataDir, { recursive: true })
  const folder = mkdtempSync(join(dataDir, '.s'))
  try {
    const draft = join(folder, 's')
    server.listen(draft)
    await once(server, 'listening')
    chmodSync(draft, 0o600)
    renameSync(draft, path)
    return statSync(path).ino
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of open) socket.destroySoon()
  await closed
}

function serve(parts: AdminParts, socket: Socket, onCommand: (running: Promise<void>) => void): void {
  const { ctx } = parts
  let requestText = ''
  let isAnswering = false
  const giveUp = ctx.clock.after(WAIT_FOR_REQUEST_MS, () => {
    if (!isAnswering) socket.destroy()
  })
  socket.on('close', giveUp)
  // A client that disconnects before its reply needs no reply.
  socket.on('error', () => socket.destroy())
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    if (isAnswering) return
    requestText += chunk
    if (requestText.length > MAX_REQUEST_BYTES) return void socket.destroy()
    const end = requestText.indexOf('\n')
    if (end < 0) return
    isAnswering = true
    onCommand(
      answer(parts, requestText.slice(0, end)).then((printed) => void socket.end(`${JSON.stringify(printed)}\n`)),
    )
  })
}

async function answer(parts: AdminParts, line: string): Promise<Printed> {
  const request = readRequest(line)
  if (!request) return { exitCode: 2, lines: ['This version does not know this command.'] }
  return runCommand(parts, request.args, request.who)
}

function readRequest(line: string): ControlRequest | null {
  try {
    return ControlRequest.safeParse(JSON.parse(line)).data ?? null
  } catch {
    // Text that is not JSON is not a valid request.
    return null
  }
}
