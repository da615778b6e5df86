import { fieldLabel } from '#messages/back-office/field-label.ts'
import { cx } from '#ui/cx.ts'
import { t } from '#back-office/i18n/t.ts'

interface ChangeDiffProps {
  before: unknown
  after: unknown
}

/** The values before and after a change, field by field. Unchanged fields are grey. */
export function ChangeDiff({ before, after }: ChangeDiffProps) {
  const [was, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...was.keys(), ...now.keys()])]
  if (names.length === 0) return <p className="text-fg-3">{t('audit.no_values')}</p>
  return (
    <dl className="flex flex-col gap-2">
      {names.map((name) => {
        const [old, fresh] = [was.get(name), now.get(name)]
        const isChanged = old !== fresh
        return (
          <div key={name} className="rounded-field bg-surface-2 px-3 py-2">
            {name !== '' && <dt className="text-caption font-medium text-fg-3">{fieldLabel(name)}</dt>}
            <dd className={cx('mono break-words whitespace-pre-wrap', !isChanged && 'text-fg-3')}>
              {isChanged && old !== undefined && (
                <del className="block text-danger no-underline">
                  <span aria-hidden="true">− </span>
                  {old}
                </del>
              )}
              {isChanged && fresh !== undefined && (
                <ins className="block text-ok no-underline">
                  <span aria-hidden="true">+ </span>
                  {fresh}
                </ins>
              )}
              {!isChanged && old}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Returns the fields of an object with their values as text. A value that is not an object gets an empty name. */
function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['', textOf(value)]])
  return new Map(Object.entries(value).map(([name, field]) => [name, textOf(field)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
