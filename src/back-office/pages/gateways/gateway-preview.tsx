import { useState } from 'react'
import type { GatewayKind } from '#contract/back-office/gateways.ts'
import { parseMarkup } from '#core/content/markup.ts'
import { PICTURE_TYPES, RECEIPT_TYPES } from '#core/uploads/file-type.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { DesignedField } from '#ui/designed-field.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { t } from '#back-office/i18n/t.ts'

interface GatewayPreviewProps {
  kind: GatewayKind
  name: string
  image: string
  description: string
  fields: readonly MethodField[]
}

/** A preview rendered with the components of the user's app. It accepts input but sends nothing. */
export function GatewayPreview({ kind, name, image, description, fields }: GatewayPreviewProps) {
  const [values, setValues] = useState<Readonly<Record<number, string>>>({})
  const [files, setFiles] = useState<Readonly<Record<number, File | null>>>({})
  return (
    <aside aria-labelledby="preview-title" className="w-full max-w-[390px] pb-10 xl:sticky xl:top-4">
      <h2 id="preview-title" className="pb-3 text-caption font-medium text-fg-3">
        {t('gateways.preview')}
      </h2>
      <div className="flex flex-col gap-3 rounded-card bg-bg p-4 shadow-[inset_0_0_0_1px_var(--line)]">
        <p className="flex items-center gap-3 font-semibold">
          <GatewayMark name={name || '?'} image={image} />
          <span className="min-w-0 truncate">{name || '…'}</span>
        </p>
        {description.trim() !== '' && <RichText blocks={parseMarkup(description)} className="text-small text-fg-2" />}
        {fields.map((field, place) => {
          const label = field.label || t('gateways.field_place', { place: place + 1 })
          if (field.type === 'file') {
            const types = field.pictures_only ? PICTURE_TYPES : RECEIPT_TYPES
            return (
              <UploadField
                // oxlint-disable-next-line react/no-array-index-key -- a field that is being designed has no other stable id
                key={place}
                label={label}
                rules={field.hint ?? t(field.pictures_only ? 'gateways.file_rules_pictures' : 'gateways.file_rules')}
                accept={types.join(',')}
                file={files[place] ?? null}
                onChange={(file) => setFiles((before) => ({ ...before, [place]: file }))}
                removeLabel={t('gateways.remove_file')}
              />
            )
          }
          return (
            <DesignedField
              // oxlint-disable-next-line react/no-array-index-key -- a field that is being designed has no other stable id
              key={place}
              field={field}
              label={kind === 'withdraw' && !field.is_required ? t('gateways.optional', { label }) : label}
              value={values[place] ?? ''}
              onChange={(value) => setValues((before) => ({ ...before, [place]: value }))}
              chooseLabel={t('gateways.choose')}
            />
          )
        })}
      </div>
    </aside>
  )
}
