import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const WIDTH = 256
export const EMPTY_ROOT = hash(Buffer.alloc(0))

function hash(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

export const leafOf = (entry: Buffer | string): Buffer => hash(Buffer.of(0), Buffer.from(entry))

function split(count: number): number {
  let left = 1
  while (left * 2 < count) left *= 2
  return left
}

/**
 * Computes the root of a tree exactly as RFC 6962, section 2.1, defines it, so that readers can compare this code with
 * the RFC.
 */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return EMPTY_ROOT
  if (leaves.length === 1) return only
  const k = split(leaves.length)
  return hash(Buffer.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)))
}

/** Computes a consistency proof (RFC 6962, section 2.1.2). */
export function proofOf(m: number, leaves: readonly Buffer[]): Buffer[] {
  return m === 0 ? [] : subproof(m, leaves, true)
}

function subproof(m: number, leaves: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (m === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const k = split(leaves.length)
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), isWhole), rootOf(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))]
}

/** An Ed25519 key with its name, as signed notes use it. */
export interface NoteSigner {
  readonly name: string
  readonly id: Buffer
  readonly verifierKey: string
  readonly line: (text: string) => string
}

export function createSigner(name: string): NoteSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const content = Buffer.concat([Buffer.of(1), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')])
  const id = hash(Buffer.from(`${name}\n`), content).subarray(0, 4)
  const verifierKey = `${name}+${id.toString('hex')}+${content.toString('base64')}`
  return { name, id, verifierKey, line: (text) => signatureLine(name, id, privateKey, text) }
}

function signatureLine(name: string, id: Buffer, key: KeyObject, text: string): string {
  return `\u2014 ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64')}\n`
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A small log with its own HTTP server. A test can make the log lie. */
export class TestLog {
  readonly origin: string
  readonly entries: Buffer[] = []
  readonly #leaves: Buffer[] = []
  /** Roots by size and tiles by path, which tests request repeatedly. */
  readonly #roots = new Map<number, Buffer>()
  readonly #tiles = new Map<string, Buffer>()
  readonly signers: NoteSigner[]
  /** Bodies of the signature lines that the witness submitted to the log. */
  readonly handedIn: string[] = []
  /** Handlers that replace the log's reply for a path, so that the log lies. */
  readonly replies = new Map<string, Handler>()
  /** Additional signature lines of the served checkpoint. */
  cosignatures = ''
  /** The size of the served checkpoint. Default: all entries. */
  served: number | null = null
  readonly #server = createServer((request, response) => void this.#reply(request, response))

  constructor(origin: string, entries: readonly (string | Buffer)[] = []) {
    this.origin = origin
    this.signers = [createSigner(origin)]
    this.add(...entries)
  }

  get verifierKey(): string {
    return this.signers[0]?.verifierKey ?? ''
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/register`
  }

  add(...entries: readonly (string | Buffer)[]): void {
    for (const entry of entries) {
      this.entries.push(Buffer.from(entry))
      this.#leaves.push(leafOf(entry))
    }
  }

  leaves(size = this.entries.length): Buffer[] {
    return this.#leaves.slice(0, size)
  }

  root(size: number): Buffer {
    const root = this.#roots.get(size) ?? rootOf(this.leaves(size))
    this.#roots.set(size, root)
    return root
  }

  /** Returns a checkpoint of a size, signed by all keys of the log. */
  note(size = this.entries.length, root = this.root(size)): string {
    const text = `${this.origin}\n${size}\n${root.toString('base64')}\n`
    return `${text}\n${this.signers.map((signer) => signer.line(text)).join('')}`
  }

  /** Returns the body of a request to cosign the growth of the log from one size to another. */
  request(from: number, size = this.entries.length): string {
    const proof = proofOf(from, this.leaves(size)).map((one) => `${one.toString('base64')}\n`)
    return `old ${from}\n${proof.join('')}\n${this.note(size)}`
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/register\//, '')
    const reply = this.replies.get(path)
    if (reply !== undefined) return reply(request, response)
    if (path === '/api/proof/cosignatures') {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      this.handedIn.push(Buffer.concat(parts).toString())
      return void response.end('{}')
    }
    const content =
      path === 'checkpoint' ? this.note(this.served ?? this.entries.length) + this.cosignatures : this.tile(path)
    if (content === null) return void response.writeHead(404).end()
    response.end(content)
  }

  /** Returns the content of a tile by its path. Null when a log of this size does not have the tile. */
  tile(path: string): Buffer | null {
    const known = this.#tiles.get(path)
    if (known !== undefined) return known
    const tile = this.#makeTile(path)
    if (tile !== null) this.#tiles.set(path, tile)
    return tile
  }

  #makeTile(path: string): Buffer | null {
    const [, levelText = '', groups = '', widthText] = /^tile\/(\w+)\/([x\d/]+?)(?:\.p\/(\d+))?$/.exec(path) ?? []
    const [index, width] = [Number(groups.replaceAll(/[x/]/g, '')), Number(widthText ?? WIDTH)]
    const unit = levelText === 'entries' ? 1 : WIDTH ** Number(levelText)
    const first = index * WIDTH * unit
    if (groups === '' || first + width * unit > this.entries.length) return null
    const places = Array.from({ length: width }, (_, at) => first + at * unit)
    if (levelText !== 'entries') {
      const leaves = this.leaves()
      return Buffer.concat(places.map((place) => rootOf(leaves.slice(place, place + unit))))
    }
    return bundleOf(places.map((place) => this.entries[place] ?? Buffer.alloc(0)))
  }
}

export function bundleOf(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]))
}
