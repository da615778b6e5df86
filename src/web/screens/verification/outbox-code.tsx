import { useCallback } from 'react'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/cx.ts'
import { call } from '#web/api/call.ts'
import { useLoaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'
import { OutboxHint } from '#web/shell/outbox-hint.tsx'
import { useSettings } from '#web/site/settings.ts'

interface OutboxCodeProps {
  /** The address that the code was sent to. */
  address: string
  onUse: (code: string) => void
}

/** Offers the code itself if the server shows its outbox to this browser. Otherwise explains where to find it. */
export function OutboxCode({ address, onUse }: OutboxCodeProps) {
  return useSettings()?.outbox === true ? <Offer address={address} onUse={onUse} /> : null
}

function Offer({ address, onUse }: OutboxCodeProps) {
  const load = useCallback((signal: AbortSignal) => newestCode(address, signal), [address])
  const loaded = useLoaded(load)
  const code = loaded.state === 'ready' ? loaded.data : null
  // While loading, the button keeps its place, so that nothing moves when the code arrives.
  if (code === null && loaded.state !== 'loading') return <OutboxHint />
  return (
    <OutboxHint>
      <span className={cx('mt-2 block', code === null && 'invisible')} aria-busy={code === null}>
        <Button type="submit" size="m" disabled={code === null} onClick={() => code !== null && onUse(code)}>
          {t('verification.use_code', { code: code ?? '' })}
        </Button>
      </span>
    </OutboxHint>
  )
}

async function newestCode(address: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await call('GET /outbox', { query: { to: address }, signal })
  // The outbox also has notices, which have no code.
  return data.messages.find(({ code }) => code !== '')?.code ?? null
}
