import type { Duplex } from 'node:stream'
import { connect, TLSSocket } from 'node:tls'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/** The certificate that a host has shown. */
export interface Peer {
  readonly host: string
  /** SHA-256 of the certificate's public key (SubjectPublicKeyInfo), which other programs show in the same way. */
  readonly spkiSha256: Uint8Array
  readonly issuer: string
  readonly subject: string
  readonly notAfterMs: number
}

const ANSWER_WITHIN_MS = 10_000
const HTTPS_PORT = 443

/** Returns the certificate of an open connection; null when it is not encrypted. */
export function peerOf(host: string, socket: Duplex): Peer | null {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
  if (certificate === undefined) return null
  return {
    host,
    spkiSha256: new Uint8Array(sha256(certificate.publicKey.export({ type: 'spki', format: 'der' }))),
    issuer: certificate.issuer.replaceAll('\n', ', '),
    subject: certificate.subject.replaceAll('\n', ', '),
    notAfterMs: Date.parse(certificate.validTo),
  }
}

/** Connects to a host to see its certificate. Null when it cannot be reached or shows none that is valid. */
export function readPeer({ protocol, hostname, host, port }: URL): Promise<Peer | null> {
  if (protocol !== 'https:') return Promise.resolve(null)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: port === '' ? HTTPS_PORT : Number(port), servername: hostname })
    const end = (peer: Peer | null): void => {
      socket.destroy()
      resolve(peer)
    }
    socket.setTimeout(ANSWER_WITHIN_MS, () => end(null))
    socket.once('error', () => end(null))
    socket.once('secureConnect', () => end(peerOf(host, socket)))
  })
}
