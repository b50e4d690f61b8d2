import { redirect } from 'next/navigation'
import { cache } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { Me } from '#server/modules/accounts/access/schema.ts'

/** Who is signed in, or nobody. Asked once a request, and handed to the browser with the rest. */
export const readMe = cache(async (): Promise<Me | undefined> => {
  try {
    return await getQueryClient().fetchQuery(trpc.access.me.queryOptions())
  } catch (error) {
    if (toRequestError(error).code === 'UNAUTHORIZED') return undefined
    throw error
  }
})

/** Sends whoever is not signed in to the door, from where they come back to `path`. */
export async function requireMe(path: string): Promise<Me> {
  const me = await readMe()
  return me ?? redirect(`/sign-in?${new URLSearchParams([['then', path]])}`)
}
