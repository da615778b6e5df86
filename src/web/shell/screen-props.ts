import type { ScreenParams } from '#core/navigation/screens.ts'

/** The props of every screen. */
export interface ScreenProps {
  params: ScreenParams
}
