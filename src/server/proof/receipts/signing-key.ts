import { join } from 'node:path'
import { calculateJwkThumbprint, CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { MEASURES_TYPE, SIGNATURE_TYPE } from '#core/proof/check-signature.ts'
import { STATEMENT_SIGNATURE_TYPE } from '#core/statement/statement-facts.ts'
import type { SignedRoot } from '#core/proof/receipt.ts'
import { readKeyFile, writeKeyFile } from '#server/platform/credentials/key-file.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/** The key that signs receipts. The private half never leaves this object. */
export interface SigningKeyPair {
  /** The id of the key: its RFC 7638 thumbprint. */
  readonly kid: string
  /** The public half as base64url text. */
  readonly x: string
  sign(root: SignedRoot): Promise<string>
  /** Signs the list of measures against a user. */
  signMeasures(statement: object): Promise<string>
  /** Signs the facts of a statement. */
  signStatement(facts: string): Promise<string>
}

const FILE = 'signing-key.json'

/**
 * Opens the key from the environment (a private JWK), else from the data folder, and creates it there when it is
 * missing. When the key differs from the key of the last start, the earlier key is retired: see `takeIntoUse`.
 */
export async function openSigningKey(dataDir: string, given: string | undefined): Promise<SigningKeyPair> {
  if (given !== undefined) return await toPair(parse(given, 'FAIRWICK_SIGNING_KEY'))
  const storedText = readKeyFile(dataDir, FILE)
  return await toPair(storedText === null ? await makeAndKeep(dataDir) : parse(storedText, join(dataDir, FILE)))
}

/** Creates a key that is not stored, for tests and simulations. */
export async function makeSigningKey(): Promise<SigningKeyPair> {
  return await toPair(await make())
}

async function make(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return await exportJWK(privateKey)
}

async function makeAndKeep(dataDir: string): Promise<JWK> {
  const jwk = await make()
  writeKeyFile(dataDir, FILE, jwk)
  return jwk
}

async function toPair(jwk: JWK): Promise<SigningKeyPair> {
  const { kty, crv, x, d } = jwk
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined || d === undefined) {
    throw new StartUpError('The receipt signing key must be a private Ed25519 key as a JWK (RFC 8037).')
  }
  const kid = await calculateJwkThumbprint({ kty, crv, x })
  const key = await importJWK({ kty, crv, x, d }, 'EdDSA')
  const signText = (text: string, typ: string): Promise<string> =>
    new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(key)
  return {
    kid,
    x,
    sign: (root) => signText(JSON.stringify(root), SIGNATURE_TYPE),
    signMeasures: (statement) => signText(JSON.stringify(statement), MEASURES_TYPE),
    signStatement: (facts) => signText(facts, STATEMENT_SIGNATURE_TYPE),
  }
}

function parse(text: string, where: string): JWK {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error below does not repeat the text, because it is secret.
  }
  throw new StartUpError(`${where} does not contain a valid receipt signing key.`)
}
