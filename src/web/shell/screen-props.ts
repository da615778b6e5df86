import type { ScreenParams } from '#core/navigation/screens.ts'

/** What every screen is given. */
export interface ScreenProps {
  params: ScreenParams
}
