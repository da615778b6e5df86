import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A mail server that keeps what it gets. */
export interface MailSink {
  readonly port: number
  /** Returns the newest code of six digits that was mailed to an address; null for none. */
  codeFor(address: string): string | null
  close(): void
}

export async function openMailSink(): Promise<MailSink> {
  const mails: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    serve(socket, (mail) => mails.push(mail))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  if (place === null || typeof place === 'string') throw new Error('the mail server has no port')
  return {
    port: place.port,
    codeFor: (address) => {
      const newest = mails.findLast((mail) => mail.includes(address))
      return (
        /(?<!\d)\d{6}(?!\d)/.exec(
          newest
            ?.split(/\r?\n\r?\n/)
            .slice(1)
            .join('\n') ?? '',
        )?.[0] ?? null
      )
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Speaks as much SMTP as a client needs to hand over its mail. */
function serve(socket: Socket, keep: (mail: string) => void): void {
  let [typed, mail, isBody] = ['', '', false]
  socket.on('error', () => socket.destroy())
  socket.write('220 localhost\r\n')
  socket.on('data', (chunk: Buffer) => {
    typed += chunk.toString()
    for (let end = typed.indexOf('\r\n'); end !== -1; end = typed.indexOf('\r\n')) {
      const line = typed.slice(0, end)
      typed = typed.slice(end + 2)
      if (isBody && line !== '.') mail += `${line}\n`
      else if (isBody) {
        keep(mail)
        ;[mail, isBody] = ['', false]
        socket.write('250 kept\r\n')
      } else if (line === 'DATA') {
        isBody = true
        socket.write('354 go on\r\n')
      } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 yes\r\n')
    }
  })
}
