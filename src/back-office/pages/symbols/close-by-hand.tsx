import { useState } from 'react'
import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { CloseForm } from '#back-office/pages/hours/close-form.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Closes one symbol with a reason that users read, or reopens it. */
export function CloseByHand({ symbol }: { symbol: SymbolRow }) {
  const toast = useToast()
  const [words, setWords] = useState('')
  const notifyDone = (text: string) => () => {
    setWords('')
    toast({ tone: 'success', text })
  }
  const close = useStaffChange(staffCalls.staffCloseSymbol, { onDone: notifyDone(t('markets.done_closed')) })
  const open = useStaffChange(staffCalls.staffOpenSymbol, { onDone: notifyDone(t('markets.done_opened')) })
  const { code, version } = symbol
  return (
    <CloseForm
      isClosed={symbol.closed_by === 'symbol'}
      labels={{ close: t('markets.close_symbol'), open: t('markets.open_symbol') }}
      words={words}
      onWords={setWords}
      isBusy={close.isPending || open.isPending}
      failure={close.error ?? open.error}
      onClose={() => close.mutate({ params: { code }, body: { version, words: words.trim() } })}
      onOpen={() => open.mutate({ params: { code }, body: { version } })}
    />
  )
}
