import { randomUUID } from 'node:crypto'
import type { Database } from '#server/core/db.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import type { Program } from '#server/testing/program.ts'

/** A person signed in to the desk; the session counts in every process of the same database. */
export interface AtDesk {
  userId: string
  /** Calls a mutation of the desk's tRPC API over HTTP. */
  call(program: Program, procedure: string, input: unknown): Promise<{ status: number; data: Record<string, unknown> }>
}

/** A new moderator of a community, signed in through one of the processes. */
export async function moderatorAtDesk(database: Database, communityId: string, program: Program): Promise<AtDesk> {
  const person = { email: `${randomUUID()}@docket.example`, password: 'a-password-for-races' }
  const role = { roleId: 'community-moderator', communityId }
  const { userId } = await createStaff(systemCtx(database), { ...person, name: 'Some one', ...role })
  const signedIn = await fetch(`${program.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: program.url, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ')
  return {
    userId,
    call: async (at, procedure, input) => {
      const answer = await fetch(`${at.url}/api/trpc/${procedure}`, {
        method: 'POST',
        headers: { cookie, origin: at.url, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      const body = await answer.json()
      return { status: answer.status, data: body.result?.data ?? body.error }
    },
  }
}
