import { useState } from 'react'
import { asciiBytes } from '#core/proof/bytes.ts'
import { parseNote } from '#core/register/signed-note.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { copyLabels } from '#web/i18n/copy-labels.ts'
import { t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { compareStates, type Comparison, readKeys } from '#web/register/compare-states.ts'
import { askServer } from '#web/register/look-at-register.ts'
import { useSeenStates } from '#web/register/seen-states.ts'

const GROUPS = 8
const DIGITS_OF_GROUP = 4

/** Compares the state in this browser with the state in the browser of another person. */
export function Compare({ keys }: { keys: readonly string[] }) {
  const own = useSeenStates().notes.at(-1)
  const [theirs, setTheirs] = useState('')
  const [comparison, setComparison] = useState<Comparison | 'failed' | null>(null)
  if (own === undefined) return null
  const compare = async (): Promise<void> => {
    setComparison(null)
    const note = `${theirs.trim()}\n`
    try {
      setComparison(await compareStates(BROWSER_TOOLS, readKeys(BROWSER_TOOLS, keys), [own, note], askServer))
    } catch {
      setComparison('failed') // The server did not reply with a proof, so the states are not compared.
    }
  }
  return (
    <section aria-labelledby="register-compare" className="mt-6">
      <h2 id="register-compare" className="mb-2 text-heading">
        {t('register.compare')}
      </h2>
      <Card>
        <p className="text-small text-fg-2">{t('register.compare_text')}</p>
        <p dir="ltr" className="mono my-4 flex flex-wrap gap-x-4 gap-y-1 text-input">
          {digitsOf(own).map((group, at) => (
            <span key={`${at} ${group}`}>{group}</span>
          ))}
        </p>
        <p className="mb-1.5 text-small font-semibold">{t('register.copy_state')}</p>
        <CopyRow text={own} labels={copyLabels()} />
        <label className="mt-5 block text-small">
          <span className="mb-1.5 block font-semibold">{t('register.their_state')}</span>
          <textarea
            dir="ltr"
            rows={5}
            value={theirs}
            onChange={(event) => setTheirs(event.target.value)}
            className="mono w-full rounded-field border border-line-strong bg-surface p-3 text-label"
          />
        </label>
        <Button size="m" className="mt-3" disabled={theirs.trim() === ''} onClick={() => void compare()}>
          {t('register.compare_now')}
        </Button>
        {comparison !== null && (
          <Alert tone={TONES[comparison]} className="mt-3">
            <p>{comparison === 'failed' ? t('common.load_failed') : t(`register.${comparison}`)}</p>
            {comparison === 'conflict' && (
              <Button
                size="s"
                variant="secondary"
                className="mt-2"
                onClick={() => saveFile('register-states.json', JSON.stringify({ own, theirs }, null, 2))}
              >
                {t('register.save_proof')}
              </Button>
            )}
          </Alert>
        )}
      </Card>
    </section>
  )
}

const TONES = { same: 'success', conflict: 'danger', unreadable: 'warn', failed: 'warn' } as const

/** 80 bits of the hash of the signed lines, as eight numbers from 0000 to 1023. */
function digitsOf(note: string): string[] {
  const hash = BROWSER_TOOLS.sha256(asciiBytes(parseNote(note)?.text ?? ''))
  let bits = hash.subarray(0, 10).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const groups: string[] = []
  for (let at = 0; at < GROUPS; at += 1) {
    groups.unshift(String(bits & 1023n).padStart(DIGITS_OF_GROUP, '0'))
    bits >>= 10n
  }
  return groups
}
