import { useState } from 'react'
import { minimumAge } from '#core/accounts/minimum-age.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import type { Reply } from '#web/api/call.ts'
import type { Loaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'
import { TermsButton } from '#web/screens/signup/terms-button.tsx'
import { useSettings } from '#web/site/settings.ts'

/** The state of the two boxes at the end of the sign-up. */
export interface ConsentBoxes {
  readonly agrees: boolean
  readonly isOldEnough: boolean
  readonly hasSubmitted: boolean
  readonly asksAge: boolean
  setAgrees(to: boolean): void
  setOldEnough(to: boolean): void
  /** Marks the required boxes that the user has not ticked. Returns true when all are ticked. */
  check(): boolean
}

/**
 * In a demo, the terms are ticked by default, as specified, and no age is asked. With real money a pre-ticked box would
 * not be consent.
 */
export function useConsentBoxes(): ConsentBoxes {
  const mode = useSettings()?.mode
  const [choice, setAgrees] = useState<boolean | null>(null)
  const [isOldEnough, setOldEnough] = useState(false)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const agrees = choice ?? mode === 'demo'
  const asksAge = mode === 'live'
  return {
    agrees,
    isOldEnough,
    hasSubmitted,
    asksAge,
    setAgrees,
    setOldEnough,
    check: () => {
      setHasSubmitted(true)
      return agrees && (!asksAge || isOldEnough)
    },
  }
}

interface ConsentFieldsProps {
  boxes: ConsentBoxes
  country: string
  terms: Loaded<Reply<'GET /user/terms'>>
}

/** The boxes for the terms of use and, with real money, for the minimum age in the user's country. */
export function ConsentFields({ boxes, country, terms }: ConsentFieldsProps) {
  const age = minimumAge(useSettings()?.minimum_ages ?? {}, country)
  const isMissing = { agree: boxes.hasSubmitted && !boxes.agrees, age: boxes.hasSubmitted && !boxes.isOldEnough }
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Checkbox
          checked={boxes.agrees}
          onChange={(event) => boxes.setAgrees(event.target.checked)}
          aria-invalid={isMissing.agree}
          aria-describedby={isMissing.agree ? 'agree-error' : undefined}
        >
          {t('signup.agree')}
        </Checkbox>
        <TermsButton terms={terms} />
      </div>
      {isMissing.agree && <Missing id="agree-error" text={t('signup.terms_required')} />}
      {boxes.asksAge && (
        <Checkbox
          checked={boxes.isOldEnough}
          onChange={(event) => boxes.setOldEnough(event.target.checked)}
          aria-invalid={isMissing.age}
          aria-describedby={isMissing.age ? 'age-error' : undefined}
        >
          {t('signup.age', { age })}
        </Checkbox>
      )}
      {boxes.asksAge && isMissing.age && <Missing id="age-error" text={t('refusal.age_required', { age })} />}
    </div>
  )
}

function Missing({ id, text }: { id: string; text: string }) {
  return (
    <p id={id} role="alert" className="text-caption font-medium text-danger">
      {text}
    </p>
  )
}
