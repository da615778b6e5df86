import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'

export interface NatsServer {
  readonly url: string
  stop(): Promise<void>
}

/** Returns a port that is not in use. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the address must contain a port')
  return address.port
}

/** Starts the installed `nats-server` (Debian package `nats-server`) for one test, on its own port. */
export async function startNatsServer(port?: number): Promise<NatsServer> {
  const at = port ?? (await freePort())
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(at)], { stdio: 'ignore' })
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new Error('cannot start nats-server', { cause: error })
  })
  await Promise.race([answers(at), failed])
  return {
    url: `nats://127.0.0.1:${at}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = createConnection(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
