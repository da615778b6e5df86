import devicesArt from '#web/art/devices.svg'
import { t } from '#web/i18n/t.ts'

export function TradeAnywhere() {
  return (
    <section className="overflow-hidden rounded-sheet bg-ink px-5 pt-6 text-on-ink">
      <h2 className="text-title">{t('home.anywhere')}</h2>
      <p className="mt-1 text-small text-on-ink-2">{t('home.anywhere_text')}</p>
      <img src={devicesArt} alt="" width={318} height={150} className="mx-auto mt-4 w-full max-w-[440px]" />
    </section>
  )
}
