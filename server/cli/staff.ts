import { z } from 'zod'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { parseOptions } from '#server/cli/parse-options.ts'
import { newPassword } from '#server/core/ids.ts'
import { text, utf16Length, visibleText } from '#server/core/text.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { PASSWORD_LENGTH } from '#server/modules/accounts/access/schema.ts'

const StaffOptions = z.object({
  email: z.email().check(utf16Length({ max: 200 })),
  name: visibleText({ max: 100 }),
  role: text({ min: 1, max: 100 }),
  community: text({ min: 1, max: 900 }).optional(),
  channel: text({ min: 1, max: 900 }).optional(),
  userId: text({ min: 1, max: 50 }).optional(),
  password: text(PASSWORD_LENGTH).optional(),
})

/** `staff create`: creates a dashboard account; a generated password is shown once. */
export async function staffCreate({ ctx }: CommandContext, options: unknown): Promise<Outcome> {
  const { role, community, channel, password: chosen, ...staff } = parseOptions(StaffOptions, options)
  const password = chosen ?? newPassword()
  const made = await createStaff(ctx, {
    ...staff,
    roleId: role,
    communityId: community,
    channelId: channel,
    password,
  })
  return {
    json: { ...made, email: staff.email, ...(chosen === undefined && { password }) },
    text: `Created ${staff.email} with the role ${role}.${chosen === undefined ? ` Password (shown once): ${password}` : ''}`,
  }
}
