import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLog } from '#server/platform/runtime/log.ts'

function capture() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  return { log: createLog('info', destination), lines }
}

it('AT46: the log hides secrets at any depth', () => {
  const { log, lines } = capture()
  log.info({ password: 'hunter2', body: { token: 'hunter2', deep: { code: 'hunter2' } } }, 'signed in')
  log.warn({ headers: { authorization: 'Bearer hunter2' }, username: 'alice' }, 'refused')
  expect(lines.join('')).not.toContain('hunter2')
  expect(lines.join('')).toContain('alice')
})

it('the log contains the useful parts of a database error, and not the row that failed', () => {
  const { log, lines } = capture()
  const cause = new Error('connection lost')
  const error = Object.assign(new Error('duplicate key', { cause }), {
    code: '23505',
    constraint: 'app_user_username',
    detail: 'Failing row contains (alice, $argon2id$secret)',
  })
  log.error({ err: error, requestId: '42' }, 'a call failed')
  const line: unknown = JSON.parse(lines[0] ?? '')
  expect(line).toMatchObject({
    requestId: '42',
    err: {
      message: 'duplicate key',
      sqlState: '23505',
      constraint: 'app_user_username',
      cause: { message: 'connection lost' },
    },
  })
  expect(lines[0]).not.toContain('secret')
})

it('AT34: the log has one line per event, whatever the event contains', () => {
  const { log, lines } = capture()
  log.info({ username: 'eve\n{"level":50,"msg":"forged"}' }, 'signed in')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toContain('\n')
})

it.runIf(existsSync('/dev/full'))('a full disk under the log loses lines and does not end the process', async () => {
  const module = new URL('./log.ts', import.meta.url)
  const program = `
    const { createLog } = await import(${JSON.stringify(module.href)})
    const log = createLog('info')
    for (let line = 0; line < 3; line++) log.info({ line }, 'one line')
    process.stderr.write('alive')`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '--import', 'tsx', '-e', program], {
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = await once(child, 'close')
  expect({ code, output }).toEqual({ code: 0, output: 'alive' })
})
