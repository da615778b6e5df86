import { Skeleton } from '#ui/states.tsx'
import { latePart } from '#web/parts/late-part.tsx'
import { useMayPractice } from '#web/site/practice-account.ts'

/** Loaded only for users who have the choice, and useless without a network. */
const AccountSwitch = latePart(async () => (await import('#web/shell/account-switch.tsx')).AccountSwitch, {
  loading: () => <Skeleton height={44} />,
  failed: null,
})

/** The choice between the live and the practice account, for users who have it. */
export function PracticeSwitch({ hasReset, className }: { hasReset?: boolean; className?: string }) {
  return useMayPractice() ? (
    <div className={className}>
      <AccountSwitch hasReset={hasReset} />
    </div>
  ) : null
}
