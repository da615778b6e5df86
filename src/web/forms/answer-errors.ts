import { readAnswers } from '#core/wallet/method-details.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

/** Returns the errors in a form designed by the operator, by the field names sent to the server. */
export function answerErrors(
  form: readonly MethodField[],
  values: Readonly<Record<string, string>>,
  wireName: (label: string) => string,
): FieldErrors<string> {
  const given = Object.fromEntries(form.map(({ label }) => [label, values[wireName(label)] ?? '']))
  const errors: FieldErrors<string> = {}
  for (const { refusal, label, params } of readAnswers(form, given).refusals) {
    const isMissing = refusal === 'field_required'
    errors[wireName(label)] ??= isMissing ? t('common.required', params) : t(`refusal.${refusal}`, params)
  }
  return errors
}
