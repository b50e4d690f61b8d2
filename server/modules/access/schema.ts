import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** Who sits at the desk. */
export interface Me {
  staffId: string
  userId: string
  name: string
  email: string
  /** Display names of the roles held, the highest first: network roles, then community roles with how many places. */
  roles: { roleId: string; displayName: string; scope: 'network' | 'community'; places: number }[]
  /** Whether any queue is theirs to review. */
  reviews: boolean
}

export const PASSWORD_LENGTH = { min: 12, max: 128 }

/** Makes the first admin, with the one-time link that the terminal shows. */
export const SetUpInput = z.object({
  token: text({ min: 1, max: 200 }),
  name: text({ min: 1, max: 100 }),
  email: z.email().max(200),
  password: text(PASSWORD_LENGTH),
})
export type SetUpInput = z.output<typeof SetUpInput>
