import { useRef, useState } from 'react'
import { t } from '#back-office/i18n/t.ts'

/** A payment to decide: its reference, and the version that was shown. */
export interface Decidable {
  readonly trx: string
  readonly content_hash: string
  readonly needs_two: boolean
  readonly first_by: string | null
}

interface Given {
  params: { trx: string }
  body: { content_hash: string; words: string }
}

/** A call that approves or rejects, as `useStaffChange` returns it. */
interface Call {
  readonly mutate: (given: Given) => void
  /** Clears the outcome of the last call. */
  readonly reset: () => void
  readonly isPending: boolean
  readonly error: unknown
}

/**
 * Holds a decision in progress for two components: the detail pane with the typed text, and the footer with the
 * buttons.
 */
export function useDecision({ approve, reject }: { approve: Call; reject: Call }) {
  const [words, setWords] = useState('')
  const [wordsNeeded, setWordsNeeded] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = approve.isPending || reject.isPending
  const given = ({ trx, content_hash }: Decidable): Given => ({
    params: { trx },
    body: { content_hash, words: words.trim() },
  })
  return {
    approve,
    reject,
    failure: approve.error ?? reject.error,
    field: {
      ref: field,
      value: words,
      error: wordsNeeded && words.trim() === '' ? t('refusal.words_needed') : undefined,
      onChange: (event: { target: { value: string } }) => setWords(event.target.value),
    },
    onApprove: (item: Decidable) => {
      if (isBusy) return
      reject.reset()
      approve.mutate(given(item))
    },
    onReject: (item: Decidable) => {
      if (words.trim() === '') {
        setWordsNeeded(true)
        field.current?.focus()
      } else if (!isBusy) {
        approve.reset()
        reject.mutate(given(item))
      }
    },
  }
}
export type DecisionUnderWay = ReturnType<typeof useDecision>
