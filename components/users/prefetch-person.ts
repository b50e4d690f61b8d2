import { cache } from 'react'
import { readMe } from '#components/kit/frame/require-me.ts'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { Person } from '#server/modules/people/schema.ts'

/** Prefetches the first paint of a person's page; undefined if the person doesn't exist or the viewer may not see them. */
export const prefetchPerson = cache((anyId: string) => undefinedIfHidden(readPerson(anyId)))

async function readPerson(anyId: string): Promise<Person> {
  const queryClient = getQueryClient()
  const person = await queryClient.fetchQuery(trpc.users.read.queryOptions({ userId: anyId }))
  const me = await readMe()
  if (me?.reviews) await queryClient.prefetchQuery(trpc.review.matching.queryOptions({ authorId: person.user.userId }))
  return person
}
