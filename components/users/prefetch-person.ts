import { cache } from 'react'
import { type PersonSearch, toContentInput } from '#components/kit/addresses/person-search.ts'
import { readMe } from '#components/kit/frame/require-me.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { Person } from '#server/modules/people/schema.ts'
import { statementOptions } from './statement-options.ts'

/** Prefetches the first paint of a person's page; undefined if the person doesn't exist or the viewer may not see them. */
export const prefetchPerson = cache((anyId: string) => undefinedIfHidden(readPerson(anyId)))

async function readPerson(anyId: string): Promise<Person> {
  const queryClient = getQueryClient()
  const person = await queryClient.fetchQuery(trpc.users.read.queryOptions({ userId: anyId }))
  const me = await readMe()
  if (me?.reviews) await queryClient.prefetchQuery(trpc.review.matching.queryOptions({ authorId: person.user.userId }))
  return person
}

/** Prefetches what the page lists of what the person wrote, what happened around them, and what was stated to them. */
export async function prefetchContent(userId: string, search: PersonSearch): Promise<void> {
  const queryClient = getQueryClient()
  const { zone = 'UTC' } = await readOwnPreferences()
  const timeZone = search.timeZone ?? zone
  await Promise.all([
    queryClient.prefetchQuery(trpc.users.content.queryOptions(toContentInput(userId, search, timeZone))),
    queryClient.prefetchQuery(trpc.users.timeline.queryOptions({ userId, timeZone })),
    queryClient.prefetchInfiniteQuery(statementOptions(trpc, userId)),
  ])
}
