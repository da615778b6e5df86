import { type DeskSettings, readDeskSettings } from '#core/charts/desk-settings.ts'
import { call } from '#web/api/call.ts'
import { changeDesk, deskNow, hasDesk, watchDesk } from '#web/options/desk.ts'
import type { Shared } from '#web/account-desk/follow-account.ts'

/** The settings of the chart, which all devices of a user share. */
export const SHARED_DESK: Shared<DeskSettings> = {
  key: 'desk-common',
  local: () => (hasDesk() ? localDesk() : null),
  apply: ({ logarithmic, ...settings }) => changeDesk({ ...settings, isLogarithmic: logarithmic }),
  empty: readDeskSettings({}),
  watch: watchDesk,
  join(common, local, stored) {
    // If the device and the account never had the same content, the content of the account is used.
    if (common === null) return stored
    const changed = Object.entries(local).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(common[name as keyof DeskSettings]),
    )
    return readDeskSettings({ ...stored, ...Object.fromEntries(changed) })
  },
  async read() {
    const { data } = await call('GET /user/desk', {})
    return { version: data.version, content: data.settings && readDeskSettings(data.settings) }
  },
  write: (version, { indicators, ...settings }) =>
    call('POST /user/desk', {
      body: { version, settings: { ...settings, indicators: indicators.map((one) => ({ ...one })) } },
    }),
}

function localDesk(): DeskSettings {
  const { isLogarithmic, ...settings } = deskNow()
  return readDeskSettings({ ...settings, logarithmic: isLogarithmic })
}
