import Download from 'lucide-react/icons/download'
import FileCheck from 'lucide-react/icons/file-check'
import Printer from 'lucide-react/icons/printer'
import { type ReactNode, useCallback, useState } from 'react'
import { readStatementFile, type StatementFile } from '#core/statement/statement-file.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { callFile } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { saveBlob } from '#ui/save-file.ts'
import { PrintSheet } from '#web/screens/statement/print-sheet.tsx'
import type { StatementQuery } from '#web/screens/statement/statement-period.ts'
import { checkStatementFile, type CheckedStatement } from '#web/statements/check-statement-file.ts'

/** 2,000 rows: a browser would need seconds to lay out more rows for printing. */
const MAX_PRINTED_ROWS = 2_000
const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

type Task = 'csv' | 'signed' | 'print'
interface Printed extends CheckedStatement {
  readonly file: StatementFile
}

/** The buttons that download the statement or print it. */
export function StatementFiles({ period, rows }: { period: StatementQuery; rows: number }) {
  const [running, setRunning] = useState<Task | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [printed, setPrinted] = useState<Printed | null>(null)
  const endPrint = useCallback(() => setPrinted(null), [])

  const run = async (task: Task, work: () => Promise<void>) => {
    setRunning(task)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setRunning(null)
    }
  }
  const name = `statement-${period.from}-to-${period.to}`
  const saveCsv = async () => saveBlob(`${name}.csv`, await callFile('GET /user/statement.csv', { query: period }))
  const loadSigned = () => callFile('GET /user/statement/signed', { query: period })
  const print = async () => {
    const file = readStatementFile(await (await loadSigned()).text())
    if (file === null) return setFailure(t('check.file_cut_off'))
    setPrinted({ file, ...(await checkStatementFile(file)) })
  }
  const button = (task: Task, icon: ReactNode, label: string, work: () => Promise<void>) => (
    <Button
      variant="secondary"
      size="m"
      icon={icon}
      loading={running === task}
      disabled={running !== null && running !== task}
      onClick={() => void run(task, work)}
    >
      {label}
    </Button>
  )
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {button('csv', <Download {...ICON} />, t('statement.csv'), saveCsv)}
        {button('signed', <FileCheck {...ICON} />, t('statement.signed'), async () =>
          saveBlob(`${name}.json`, await loadSigned()),
        )}
        {rows <= MAX_PRINTED_ROWS && button('print', <Printer {...ICON} />, t('statement.print'), print)}
      </div>
      {rows > MAX_PRINTED_ROWS && <p className="text-label text-fg-2">{t('statement.too_long')}</p>}
      <p className="text-label text-fg-2">
        {t('statement.signed_hint')}{' '}
        <Link href="/check" className="text-brand underline underline-offset-4">
          {t('screen.check')}
        </Link>
      </p>
      {failure !== null && <Alert tone="danger">{failure}</Alert>}
      {printed !== null && <PrintSheet checked={printed} onDone={endPrint} />}
    </div>
  )
}
