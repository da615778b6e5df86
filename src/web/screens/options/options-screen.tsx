import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign'
import Keyboard from 'lucide-react/icons/keyboard'
import Repeat from 'lucide-react/icons/repeat'
import Percent from 'lucide-react/icons/percent'
import Vibrate from 'lucide-react/icons/vibrate'
import Volume2 from 'lucide-react/icons/volume-2'
import type { ReactNode } from 'react'
import { Switch } from '#ui/checkbox.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Triangle } from '#ui/triangle.tsx'
import { zoneOf } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { buzz, canVibrate } from '#web/options/haptics.ts'
import { signalOrder } from '#web/options/order-signal.ts'
import {
  balanceShares,
  CHANGE_SINCE,
  changeSince,
  CLOCKS,
  clock,
  haptics,
  keepStake,
  singleKeys,
  sound,
  UP_COLOURS,
  type UpColour,
  upColour,
  VOLUME_UNITS,
  volumeUnit,
} from '#web/options/options.ts'
import { CurrencyChoice } from '#web/screens/options/currency-choice.tsx'
import { LanguageChoice } from '#web/screens/options/language-choice.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { useIsDesktop } from '#web/shell/use-is-desktop.ts'
import { Page } from '#web/shell/page.tsx'
import { chooseTheme, THEMES, useTheme } from '#ui/theme.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/**
 * Display and calculation options of this device. Each choice takes effect immediately and is stored on the device, not
 * on the server.
 */
export function OptionsScreen() {
  const isDesktop = useIsDesktop()
  return (
    <Page
      title={t('screen.options')}
      header={<DeepHeader title={t('screen.options')} parent="/profile" />}
      className="flex flex-col gap-5 pt-1 pb-8"
    >
      <p className="text-small text-fg-2">{t('options.explain')}</p>
      <Group title={t('shell.language')}>
        <LanguageChoice />
      </Group>
      <Group title={t('options.currency')}>
        <CurrencyChoice />
      </Group>
      <Group title={t('options.colours')} hint={t('options.colours_hint')}>
        <Segmented
          label={t('options.colours')}
          options={UP_COLOURS.map((value) => ({
            value,
            label: <ColourLabel up={value}>{t(`options.up_${value}`)}</ColourLabel>,
          }))}
          value={upColour.use()}
          onChange={upColour.choose}
        />
      </Group>
      <Group title={t('options.time')} hint={t('options.time_hint')}>
        <Segmented
          label={t('options.time')}
          options={CHANGE_SINCE.map((value) => ({ value, label: t(`options.since_${value}`) }))}
          value={changeSince.use()}
          onChange={changeSince.choose}
        />
      </Group>
      <Group title={t('options.clock')} hint={t('options.clock_hint')}>
        <Segmented
          label={t('options.clock')}
          options={CLOCKS.map((value) => ({ value, label: value === 'utc' ? 'UTC' : localClock() }))}
          value={clock.use()}
          onChange={clock.choose}
        />
      </Group>
      <Group title={t('options.indicator')} hint={t(`options.indicator_${volumeUnit.use()}_hint`)}>
        <Segmented
          label={t('options.indicator')}
          options={VOLUME_UNITS.map((value) => ({ value, label: t(`options.indicator_${value}`) }))}
          value={volumeUnit.use()}
          onChange={volumeUnit.choose}
        />
      </Group>
      <Group title={t('options.display')}>
        <Segmented
          label={t('options.display')}
          options={THEMES.map((value) => ({ value, label: t(`shell.theme_${value}`) }))}
          value={useTheme()}
          onChange={chooseTheme}
        />
      </Group>
      <List>
        <SwitchRow name="keep_stake" icon={<Repeat {...ICON} />} option={keepStake} />
        <SwitchRow name="balance_shares" icon={<Percent {...ICON} />} option={balanceShares} />
        {isDesktop && <SwitchRow name="single_keys" icon={<Keyboard {...ICON} />} option={singleKeys} />}
        <SwitchRow name="sound" icon={<Volume2 {...ICON} />} option={sound} onChosen={() => signalOrder('accepted')} />
        <HapticRow />
        <ListRow
          icon={<CircleDollarSign {...ICON} />}
          label={t('options.stablecoin')}
          detail={t('options.stablecoin_text')}
          value="USDT"
        />
      </List>
    </Page>
  )
}

function localClock(): string {
  return t('options.clock_local', { zone: zoneOf(Date.now(), 'local') })
}

interface GroupProps {
  title: string
  hint?: string
  children: ReactNode
}

/** A choice with its name above and its effect below. */
function Group({ title, hint, children }: GroupProps) {
  return (
    <section>
      <h2 className="mb-1.5 px-0.5 text-label font-semibold text-fg-2">{title}</h2>
      {children}
      {hint !== undefined && <p className="mt-1.5 px-0.5 text-caption text-fg-3">{hint}</p>}
    </section>
  )
}

/** The triangles keep their direction: the option changes only their colours. */
function ColourLabel({ up, children }: { up: UpColour; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className="flex flex-col gap-0.5">
        <Triangle direction="up" className={up === 'green' ? 'text-ok' : 'text-danger'} />
        <Triangle direction="down" className={up === 'green' ? 'text-danger' : 'text-ok'} />
      </span>
      {children}
    </span>
  )
}

interface SwitchRowProps {
  name: 'keep_stake' | 'balance_shares' | 'single_keys' | 'sound'
  icon: ReactNode
  option: typeof keepStake
  onChosen?: () => void
}

/** An option that is on or off, with its effect below its name. */
function SwitchRow({ name, icon, option, onChosen }: SwitchRowProps) {
  const label = t(`options.${name}`)
  return (
    <ListRow
      icon={icon}
      label={label}
      detail={t(`options.${name}_text`)}
      end={
        <Switch
          label={label}
          checked={option.use() === 'on'}
          onChange={(next) => {
            option.choose(next ? 'on' : 'off')
            onChosen?.()
          }}
        />
      }
    />
  )
}

function HapticRow() {
  const isOn = haptics.use() === 'on'
  const isPossible = canVibrate()
  return (
    <ListRow
      icon={<Vibrate {...ICON} />}
      label={t('options.haptic')}
      detail={t(isPossible ? 'options.haptic_text' : 'options.haptic_missing')}
      end={
        <Switch
          label={t('options.haptic')}
          checked={isOn && isPossible}
          disabled={!isPossible}
          onChange={(next) => {
            haptics.choose(next ? 'on' : 'off')
            buzz()
          }}
        />
      }
    />
  )
}
