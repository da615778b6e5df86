import { useSession } from '#web/session/session.ts'

/** Whether notices and replies can be mailed to the user. The address is optional at sign-up. */
export function useHasEmail(): boolean {
  const email = useSession()?.user.email ?? ''
  return email !== ''
}
