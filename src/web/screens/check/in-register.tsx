import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkSignature } from '#core/proof/check-signature.ts'
import type { Bundle } from '#core/proof/check-bundle.ts'
import { checkInclusion, type Inclusion, type RegisterProof } from '#core/register/check-inclusion.ts'
import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { call } from '#web/api/call.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { readKeys } from '#web/register/compare-states.ts'
import { lookAtRegister } from '#web/register/look-at-register.ts'
import { seenStates } from '#web/register/seen-states.ts'

const ASK_AGAIN_MS = 15_000
/**
 * 5 minutes: receipts enter the register within 2 minutes. 3 more minutes allow for clock differences and a server
 * start.
 */
const LATE_AFTER_MS = 5 * MINUTE_MS

/**
 * Shows when the newest receipt of an order entered the public register, and who else has signed a state of the
 * register with this receipt.
 */
export function InRegister({ bundle, trx }: { bundle: Bundle; trx: string }) {
  return (
    <RegisterCard
      id={[trx, (bundle.result ?? bundle.sale ?? null) !== null]}
      find={(signal) => proofOfOrder(bundle, trx, signal)}
    />
  )
}

/**
 * A signature to look up in the register, with the proof from the server. The proof is null while the server has none.
 */
export interface ToFind {
  readonly signed: ReturnType<typeof checkSignature> | null
  readonly proof: RegisterProof | null
}

/**
 * Shows when a receipt entered the public register, and who else has signed a state of the register with this receipt.
 */
export function RegisterCard({ id, find }: { id: readonly unknown[]; find: (signal: AbortSignal) => Promise<ToFind> }) {
  useEffect(() => void lookAtRegister(), [])
  const { data } = useQuery({
    queryKey: ['in-register', ...id],
    queryFn: ({ signal }) => findInRegister(find(signal), signal),
    refetchInterval: ({ state }) => (isExpected(state.data) ? ASK_AGAIN_MS : false),
  })
  if (data === undefined) return null
  if (data.kind === 'wrong' || data.kind === 'late') {
    return (
      <Alert tone="danger" className="mt-3">
        {data.kind === 'wrong'
          ? t('check.register_fault')
          : t('check.late_in_register', { time: clockDateTime(data.signedMs) })}
      </Alert>
    )
  }
  return (
    <Card className="mt-3 text-small">
      {data.kind === 'waiting' ? (
        <p>{t('check.not_in_register')}</p>
      ) : (
        <>
          <p className="font-semibold tabular-nums">
            {t('check.in_register', { time: clockDateTime(data.inclusion.atMs) })}
          </p>
          <p className="mt-1 text-fg-2">
            {data.names.length > 0 ? t('check.seen_by', { names: data.names.join(', ') }) : t('check.seen_by_nobody')}
          </p>
        </>
      )}
      <Link href="/register" className="mt-1 inline-flex min-h-11 items-center text-brand">
        {t('screen.register')}
      </Link>
    </Card>
  )
}

type Found =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'late'; readonly signedMs: number }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'found'; readonly inclusion: Inclusion; readonly names: readonly string[] }

function isExpected(found: Found | undefined): boolean {
  return found?.kind === 'waiting' || found?.kind === 'late'
}

async function proofOfOrder(
  { accepted, result, sale = null, keys }: Bundle,
  trx: string,
  signal: AbortSignal,
): Promise<ToFind> {
  const { data: proofs } = await call('GET /proof/receipts/:trx/register', { params: { trx }, signal })
  const [receipt, proof] =
    result !== null ? [result, proofs.result] : sale === null ? [accepted, proofs.accepted] : [sale, proofs.sale]
  return { signed: receipt && checkSignature(BROWSER_TOOLS, receipt.signature, keys), proof }
}

async function findInRegister(asked: Promise<ToFind>, signal: AbortSignal): Promise<Found> {
  const [{ signed, proof }, { data: register }] = await Promise.all([asked, call('GET /proof/register', { signal })])
  const isSigned = signed !== null && typeof signed !== 'string'
  if (proof === null) {
    const newestMs = register.newest === null ? 0 : Date.parse(register.newest.at)
    // A halted register takes no receipts, and a register that is starting has no entry newer than this receipt.
    const isLeftOut = isSigned && register.halted_since === null && newestMs > signed.root.made_ms + LATE_AFTER_MS
    return isLeftOut ? { kind: 'late', signedMs: signed.root.made_ms } : { kind: 'waiting' }
  }
  if (!isSigned) return { kind: 'wrong' }
  const witnesses = register.witnesses.filter((witness) => !witness.is_ours)
  const texts = [...register.keys, ...witnesses].map((key) => key.verifier_key)
  const known = readKeys(BROWSER_TOOLS, [...texts, ...seenStates().keys])
  const inclusion = checkInclusion(BROWSER_TOOLS, signed.root, proof, known)
  if (typeof inclusion === 'string') return { kind: 'wrong' }
  const cosigned = inclusion.signatures.filter(({ seconds }) => seconds !== null)
  return { kind: 'found', inclusion, names: cosigned.map(({ key }) => key.name) }
}
