import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { LogInRecorder } from '#server/users/sessions/record-log-in.ts'

/** The dependencies of log-in and its security settings. */
export interface SignInParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly signIns: LogInRecorder
  readonly publicUrl: string | null
}
