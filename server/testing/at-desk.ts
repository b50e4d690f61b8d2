import type { Database } from '#server/core/database/open-database.ts'
import type { Program } from '#server/testing/program.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

/** A person signed in to the desk; the session counts in every process of the same database. */
export interface AtDesk {
  userId: string
  /** Calls a mutation of the desk's tRPC API over HTTP. */
  call(program: Program, procedure: string, input: unknown): Promise<{ status: number; data: Record<string, unknown> }>
}

/** A new moderator of a community, signed in. */
export async function moderatorAtDesk(database: Database, communityId: string): Promise<AtDesk> {
  const { staffId, userId } = await createStaffAccount(database, { roleId: 'community-moderator', communityId })
  const { name, value } = await sessionCookie(database, staffId)
  const cookie = `${name}=${value}`
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
