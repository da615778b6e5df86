import { z } from 'zod'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { inviteStaff } from '#server/back-office/staff/join-staff.ts'
import { joinPath } from '#server/back-office/staff/staff.routes.ts'

const StaffName = z
  .string('has to be given')
  .trim()
  .regex(/^[\w.@+-]{2,60}$/, 'has 2 to 60 letters, digits or . @ + - _')

export const staffCommands: readonly Command[] = [
  defineCommand({
    name: 'staff create-owner',
    summary: 'Names an owner of the back office and prints where they choose their password. Also: create-owner NAME.',
    takes: ['name'],
    options: {},
    input: z.object({ name: StaffName }),
    effect: 'changes',
    run: async ({ ctx }, { name }, actor) => {
      const invited = await inviteStaff(ctx, { name, role: 'owner', actor })
      if (!invited.ok) return refused(`Somebody of the staff is called ${name} already.`)
      return said(
        `${name} is an owner. They choose a password at this address of the site, once, within three days:`,
        joinPath(invited.value.token),
      )
    },
  }),
]
