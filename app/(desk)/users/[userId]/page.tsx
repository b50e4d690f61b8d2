import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'
import { PersonPage } from '#components/users/person-page.tsx'
import { prefetchPerson } from '#components/users/prefetch-person.ts'

type Props = PageProps<'/users/[userId]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [person, t] = await Promise.all([userIdOf(params).then(prefetchPerson), readWords()])
  return { title: person?.user.displayName || person?.user.userId || t('nav.users') }
}

export default async function UserPage({ params }: Props) {
  const userId = await userIdOf(params)
  await requireMe(toUserPath(userId))
  const person = await prefetchPerson(userId)
  if (!person) notFound()

  return (
    <Hydrate>
      <PersonPage userId={userId} />
    </Hydrate>
  )
}

async function userIdOf(params: Props['params']): Promise<string> {
  return decodeURIComponent((await params).userId)
}
