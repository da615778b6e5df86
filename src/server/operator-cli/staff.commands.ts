import { z } from 'zod'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { createOwner } from '#server/back-office/staff/join-staff.ts'
import { joinPath } from '#server/back-office/staff/staff.routes.ts'

const StaffName = z
  .string('is required')
  .trim()
  .regex(/^[\w.@+-]{2,60}$/, 'must have 2 to 60 letters, digits or . @ + - _')

export const staffCommands: readonly Command[] = [
  defineCommand({
    name: 'staff create-owner',
    summary:
      'Creates an owner of the back office while no owner can log in, and prints the link to join. Short form: create-owner NAME.',
    takes: ['name'],
    options: {},
    input: z.object({ name: StaffName }),
    effect: 'changes',
    run: async ({ ctx }, { name }, actor) => {
      const invited = await createOwner(ctx, { name, actor })
      if (!invited.ok)
        return refused(
          invited.refusal === 'owner_exists'
            ? 'An owner can log in. Owners invite others in the back office. Nothing was changed.'
            : `Another staff member is already called ${name}.`,
        )
      return said(
        `${name} is an owner and no approver. Everybody can see this on the page of changes. The password is chosen at this address of the site. It works once, within three days:`,
        joinPath(invited.value.token),
      )
    },
  }),
]
