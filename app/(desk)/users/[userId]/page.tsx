import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { loadPersonSearch, toPersonPath } from '#components/kit/addresses/person-search.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'
import { PersonPage } from '#components/users/person-page.tsx'
import { prefetchContent, prefetchPerson } from '#components/users/prefetch-person.ts'

type Props = PageProps<'/users/[userId]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [person, t] = await Promise.all([userIdOf(params).then(prefetchPerson), readWords()])
  return { title: person?.user.displayName || person?.user.userId || t('nav.users') }
}

export default async function UserPage({ params, searchParams }: Props) {
  const userId = await userIdOf(params)
  const search = loadPersonSearch(await searchParams)
  await requireMe(toPersonPath(userId, search))
  const person = await prefetchPerson(userId)
  if (!person) notFound()
  await prefetchContent(person.user.userId, search)

  return (
    <Hydrate>
      <PersonPage userId={userId} />
    </Hydrate>
  )
}

async function userIdOf(params: Props['params']): Promise<string> {
  return decodeURIComponent((await params).userId)
}
