import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Letter, Messenger } from '#server/platform/messenger/messenger.ts'
import { createSmtpMessenger } from '#server/platform/messenger/smtp-messenger.ts'

/** A minimal SMTP server that accepts one mail after another. */
async function startMailServer(): Promise<{ server: Server; url: string; letters: string[] }> {
  const letters: string[] = []
  const server = createServer((socket) => converse(socket, letters))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, url: `smtp://127.0.0.1:${address.port}`, letters }
}

function converse(socket: Socket, letters: string[]): void {
  let text = ''
  let isLetter = false
  socket.setEncoding('utf8')
  socket.write('220 test\r\n')
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      if (isLetter) {
        const last = text.indexOf('\r\n.\r\n')
        if (last < 0) return
        letters.push(text.slice(0, last))
        text = text.slice(last + 5)
        isLetter = false
        socket.write('250 taken\r\n')
        continue
      }
      const line = text.slice(0, end).toUpperCase()
      text = text.slice(end + 2)
      if (line.startsWith('DATA')) isLetter = true
      socket.write(isLetter ? '354 go on\r\n' : line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
    }
  })
}

const LETTER: Letter = {
  to: 'alice@example.com',
  kind: 'verify_account',
  subject: '123456 ist Ihr Fairwick-Code für heute',
  text: 'Your code is 123456.',
  code: '123456',
}

let server: Server | null = null
afterEach(() => server?.close())

function phones(): Messenger & { sent: Letter[] } {
  const sent: Letter[] = []
  return {
    sent,
    usesOutbox: true,
    send(letter) {
      sent.push(letter)
      return Promise.resolve('outbox')
    },
  }
}

it('the SMTP messenger sends mail to the server, and leaves phone messages to the other messenger', async () => {
  const mail = await startMailServer()
  server = mail.server
  const rest = phones()
  const messenger = createSmtpMessenger({ smtpUrl: mail.url, from: 'no-reply@example.com', phones: rest })
  expect(await messenger.send(LETTER)).toBe('mail')
  expect(mail.letters).toHaveLength(1)
  expect(mail.letters[0]).toContain('To: alice@example.com')
  expect(mail.letters[0]).toContain('From: no-reply@example.com')
  expect(mail.letters[0]).toContain('Your code is 123456.')
  expect(await messenger.send({ ...LETTER, to: '+15551234567' })).toBe('outbox')
  expect(rest.sent.map(({ to }) => to)).toEqual(['+15551234567'])
})

it('every try to send a message has the same Message-ID', async () => {
  const mail = await startMailServer()
  server = mail.server
  const messenger = createSmtpMessenger({ smtpUrl: mail.url, from: 'no-reply@example.com', phones: phones() })
  await messenger.send({ ...LETTER, id: 'notice-1' })
  await messenger.send({ ...LETTER, id: 'notice-1' })
  const ids = mail.letters.map((letter) => /^Message-ID: (.+)$/im.exec(letter)?.[1])
  expect(ids).toEqual(['<notice-1@example.com>', '<notice-1@example.com>'])
})

it('mails with an unsubscribe address have the headers for one-click unsubscribing, and other mails do not', async () => {
  const mail = await startMailServer()
  server = mail.server
  const messenger = createSmtpMessenger({ smtpUrl: mail.url, from: 'no-reply@example.com', phones: phones() })
  await messenger.send({ ...LETTER, unsubscribeUrl: 'https://example.com/api/notices/unsubscribe/T' })
  await messenger.send(LETTER)
  expect(mail.letters[0]).toMatch(/^List-Unsubscribe: <https:\/\/example\.com\/api\/notices\/unsubscribe\/T>\r?$/im)
  expect(mail.letters[0]).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/im)
  expect(mail.letters[1]).not.toMatch(/^List-Unsubscribe/im)
})

it('a subject with line breaks cannot add a header or another receiver', async () => {
  const mail = await startMailServer()
  server = mail.server
  const messenger = createSmtpMessenger({ smtpUrl: mail.url, from: 'no-reply@example.com', phones: phones() })
  await messenger.send({ ...LETTER, subject: 'Code\r\nBcc: eve@example.com' })
  expect(mail.letters[0]).not.toMatch(/^Bcc:/im)
})

it('the SMTP messenger throws when the server is unreachable', async () => {
  const mail = await startMailServer()
  await new Promise((resolve) => mail.server.close(resolve))
  const messenger = createSmtpMessenger({ smtpUrl: mail.url, from: 'no-reply@example.com', phones: phones() })
  await expect(messenger.send(LETTER)).rejects.toThrow('ECONNREFUSED')
})
