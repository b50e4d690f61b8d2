import { randomUUID } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import type { Database } from '#server/core/database/open-database.ts'
import { createStaff, type NewStaff } from '#server/modules/accounts/access/create-staff.ts'
import { systemCtx } from '#server/testing/ctx.ts'

const PASSWORD = 'a-password-for-tests'
/** Once for all accounts: hashing is slow on purpose. */
let hashing: Promise<string> | undefined

export interface StaffAccount {
  staffId: string
  userId: string
  name: string
  email: string
  password: string
}

/** Creates a dashboard account with this role and a password. */
export async function createStaffAccount(
  database: Database,
  { name = 'Some one', ...role }: Omit<NewStaff, 'name' | 'email' | 'password'> & { name?: string },
): Promise<StaffAccount> {
  const email = `${randomUUID()}@docket.example`
  const made = await createStaff(systemCtx(database), { email, name, ...role })
  hashing ??= hashPassword(PASSWORD)
  await database.prisma.staffLogin.create({
    data: {
      id: randomUUID(),
      accountId: made.staffId,
      providerId: 'credential',
      userId: made.staffId,
      password: await hashing,
    },
  })
  return { ...made, name, email, password: PASSWORD }
}
