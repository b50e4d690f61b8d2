import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { Me } from '#server/modules/accounts/access/schema.ts'

/** The signed-in person, or undefined. Read once per request and passed to the browser with the page. */
export const readMe = cache(async (): Promise<Me | undefined> => {
  try {
    return await getQueryClient().fetchQuery(trpc.access.me.queryOptions())
  } catch (error) {
    if (toRequestError(error).code === 'UNAUTHORIZED') return undefined
    throw error
  }
})

/** Redirects to sign-in unless the person is signed in; they return to `path` afterwards. */
export async function requireMe(path: string): Promise<Me> {
  const me = await readMe()
  return me ?? redirect(`/sign-in?${new URLSearchParams([['then', path]])}`)
}

/** The signed-in person, as `requireMe` returns them. A page of a section that they may not open is not found. */
export async function requireSection(section: Me['opens'][number], path: string): Promise<Me> {
  const me = await requireMe(path)
  return me.opens.includes(section) ? me : notFound()
}

/** The signed-in person, as `requireMe` returns them. A page of the settings that they may not open is not found. */
export async function requireSettings(part: Me['settings'][number], path: string): Promise<Me> {
  const me = await requireMe(path)
  return me.settings.includes(part) ? me : notFound()
}
