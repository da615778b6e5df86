import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PROGRAM = join(import.meta.dirname, '../../../tools/witness/fairwick-witness.mjs')

/** The output of one command. */
export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A reply of the witness. */
export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
}

export interface Finding {
  readonly code: string
  readonly index?: number
  readonly text: string
  readonly notes?: readonly string[]
}

/**
 * The files of a new folder, by name. The program creates them once per process, because each run of the program takes
 * longer than most tests.
 */
let newFolder: ReadonlyMap<string, Buffer> | null = null

/** A witness in its own folder, run as its users run it. */
export class TestWitness {
  readonly folder = mkdtempSync(join(tmpdir(), 'fairwick-witness-'))
  /** The output of the running process. */
  output = ''
  readonly #children: ChildProcess[] = []
  #port = 0
  #verifierKey: string | null = null

  /** Runs a command to its end. */
  run(...args: readonly string[]): CommandResult {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args, '--dir', this.folder], {
      encoding: 'utf8',
      timeout: 600_000,
    })
    return { code: status, out: stdout, err: stderr }
  }

  /** Creates the key, which all witnesses of a process share, and follows logs. */
  follow(...logs: readonly { readonly verifierKey: string; readonly url: string; readonly origin?: string }[]): this {
    if (!existsSync(join(this.folder, 'key.json'))) this.#createFolder()
    for (const { verifierKey, url, origin } of logs)
      this.#expectSuccess(this.run('follow', verifierKey, url, ...(origin === undefined ? [] : ['--origin', origin])))
    return this
  }

  #createFolder(): void {
    if (newFolder !== null) {
      for (const [name, content] of newFolder) writeFileSync(join(this.folder, name), content, { mode: 0o600 })
      return
    }
    this.#expectSuccess(this.run('init', '--name', 'witness.example/w1'))
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.json'))
    newFolder = new Map(names.map((name) => [name, readFileSync(join(this.folder, name))]))
  }

  /**
   * Starts the witness's server. `shell` is a shell command line that runs the program as `"$@"`, for example with a
   * limit.
   */
  async start(args: readonly string[] = [], shell?: string): Promise<this> {
    const program = [process.execPath, PROGRAM, 'serve', '--port', '0', '--dir', this.folder, ...args]
    const [command = '', ...rest] = shell === undefined ? program : ['bash', '-c', shell, 'bash', ...program]
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#children.push(child)
    this.output = ''
    const note = (part: Buffer): void => void (this.output += part.toString())
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    while (!/"port":\d+/.test(this.output)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the witness ended: ${this.output}`)
      await pause(5)
    }
    this.#port = Number(/"port":(\d+)/.exec(this.output)?.[1])
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get port(): number {
    return this.#port
  }

  /** Ends the process, and waits until it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async get(path: string): Promise<Reply> {
    return toReply(await fetch(`${this.url}${path}`))
  }

  /** Sends a request to cosign to the witness, and returns the reply. */
  async add(body: string | Buffer): Promise<Reply> {
    return toReply(
      await fetch(`${this.url}/add-checkpoint`, { method: 'POST', body: new Uint8Array(Buffer.from(body)) }),
    )
  }

  async findings(origin?: string): Promise<readonly Finding[]> {
    const { logs } = JSON.parse((await this.get('/findings')).body) as {
      logs: { origin: string; findings: Finding[] }[]
    }
    return logs.filter((log) => origin === undefined || log.origin === origin).flatMap((log) => log.findings)
  }

  /** Returns the newest size that the witness has stored for each log, by the log's origin. */
  sizes(): ReadonlyMap<string, number> {
    const lines = this.run('show').out.matchAll(/^(\S+) at \S+: size (\d+),/gm)
    return new Map([...lines].map(([, origin = '', size]) => [origin, Number(size)]))
  }

  get verifierKey(): string {
    this.#verifierKey ??= /verifier key: (\S+)/.exec(this.run('show').out)?.[1] ?? ''
    return this.#verifierKey
  }

  #expectSuccess({ code, err }: CommandResult): void {
    if (code !== 0) throw new Error(err)
  }
}

async function toReply(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, body: await response.text() }
}

/**
 * Checks the signature line of a witness against its key and the cosigned text. Returns the seconds of the signature.
 * Null when it does not verify.
 */
export function checkCosignature(verifierKey: string, line: string, text: string): number | null {
  const [name = '', id = '', ...rest] = verifierKey.split('+')
  const content = Buffer.from(rest.join('+'), 'base64')
  const [, signer, encoded = ''] = /^\u2014 (\S+) (\S+)\n$/u.exec(line) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  const ownId = createHash('sha256').update(`${name}\n`).update(content).digest().toString('hex', 0, 4)
  if (signer !== name || content[0] !== 4 || ownId !== id || bytes.toString('hex', 0, 4) !== id) return null
  const seconds = bytes.readBigUInt64BE(4)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: content.toString('base64url', 1) }
  const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)
  const isValid = verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), bytes.subarray(12))
  return isValid && bytes.length === 76 ? Number(seconds) : null
}

/** Returns the three lines of a note that its signatures cover. */
export const textOf = (note: string): string => note.slice(0, note.lastIndexOf('\n\n') + 1)

/** Returns the id of a log in addresses of the witness. */
export const idOf = (origin: string): string => createHash('sha256').update(origin).digest('hex')
