import { SectionLabel } from '#ui/card.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { t } from '#web/i18n/t.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { chooseTheme, THEMES, useTheme } from '#web/shell/theme.ts'

/** How the app looks and counts on this device. Every choice takes effect at once and is kept here, not on the server. */
export function OptionsScreen() {
  const theme = useTheme()
  return (
    <Page
      title={t('screen.options')}
      header={<DeepHeader title={t('screen.options')} parent="/profile" />}
      className="pt-1 pb-8"
    >
      <SectionLabel>{t('shell.theme')}</SectionLabel>
      <Segmented
        label={t('shell.theme')}
        options={THEMES.map((value) => ({ value, label: t(`shell.theme_${value}`) }))}
        value={theme}
        onChange={chooseTheme}
      />
    </Page>
  )
}
