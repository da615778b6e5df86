import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The site address of the tests' passkeys. */
export const PASSKEY_SITE = 'http://localhost:3000'

const FLAGS = { present: 0x01, verified: 0x04, attestedData: 0x40 } as const

interface Task {
  readonly challenge: string
}

/** Creates a software passkey, as a phone stores it, with the browser's responses. ES256, without attestation. */
export function createSoftPasskey({ origin = PASSKEY_SITE, verifies = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const user = FLAGS.present | (verifies ? FLAGS.verified : 0)
  const said = (type: string, { challenge }: Task) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  let counter = 0

  return {
    id: text(id),
    make(task: Task) {
      const key = map([
        [1, int(2)],
        [3, int(-7)],
        [-1, int(1)],
        [-2, bytes(Buffer.from(x, 'base64url'))],
        [-3, bytes(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = Buffer.concat([head(origin, user | FLAGS.attestedData, counter), credential])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        string('fmt'),
        string('none'),
        string('attStmt'),
        Buffer.from([0xa0]),
        string('authData'),
        bytes(data),
      ])
      const response = { clientDataJSON: text(said('webauthn.create', task)), attestationObject: text(attestation) }
      return { ...envelope(id), response }
    },
    use(task: Task) {
      counter += 1
      const data = head(origin, user, counter)
      const clientData = said('webauthn.get', task)
      const signature = sign(
        'sha256',
        Buffer.concat([data, createHash('sha256').update(clientData).digest()]),
        privateKey,
      )
      const response = {
        clientDataJSON: text(clientData),
        authenticatorData: text(data),
        signature: text(signature),
      }
      return { ...envelope(id), response }
    },
  }
}

function envelope(id: Buffer) {
  return { id: text(id), rawId: text(id), type: 'public-key' as const }
}

function head(origin: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  return Buffer.concat([site, Buffer.from([flags]), count])
}

const text = (value: Buffer) => value.toString('base64url')

/** Encodes the subset of CBOR that a key and an attestation need. */
function int(value: number): Buffer {
  return value >= 0 ? Buffer.from([value]) : Buffer.from([0x20 + (-1 - value)])
}
function bytes(value: Buffer): Buffer {
  const { length } = value
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}
function string(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}
function map(entries: readonly (readonly [number, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flatMap(([key, value]) => [int(key), value])])
}
