import { useState } from 'react'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { OptionList } from '#ui/option-list.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** The components of the deposit form: a gateway, an address to copy, files. */
export function DepositParts() {
  const [gateway, setGateway] = useState('usdt')
  const [file, setFile] = useState<File | null>(null)
  const broken = new File(['x'.repeat(2_400_000)], 'scan-large.tiff', { type: 'image/tiff' })
  return (
    <Block title="Gateway, copy, upload">
      <Card className="p-2!">
        <OptionList
          label="Gateway"
          value={gateway}
          onChange={setGateway}
          options={[
            {
              value: 'demo',
              label: 'Demo funds',
              detail: 'Instant, no fee',
              mark: <Avatar name="D" />,
            },
            {
              value: 'usdt',
              label: 'USDT, TRC-20',
              detail: '20.00 to 5,000.00 USDT, 1% + 1.00',
              mark: <Avatar name="T" />,
            },
          ]}
        />
      </Card>
      <CopyRow
        text="TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"
        labels={{ copy: 'Copy', copied: 'Copied', failed: 'Could not copy' }}
      />
      <UploadField
        label="Add payment receipt"
        rules="PNG, JPG or PDF, up to 5 MB"
        accept="image/png,image/jpeg"
        file={file}
        onChange={setFile}
        removeLabel="Remove"
      />
      <UploadField
        label="Add payment proof"
        rules="PNG, JPG or PDF, up to 5 MB"
        accept="image/png,image/jpeg"
        file={broken}
        onChange={() => undefined}
        removeLabel="Remove"
        error="This file type cannot be read. Use PNG, JPG or PDF."
      />
    </Block>
  )
}
