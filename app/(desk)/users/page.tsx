import { loadUsersSearch, toUsersPath } from '#components/kit/addresses/users-search.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'
import { prefetchUsers } from '#components/users/prefetch-users.ts'
import { UsersPage } from '#components/users/users-page.tsx'

export const generateMetadata = titled((t) => t('nav.users'))

export default async function UsersListPage({ searchParams }: PageProps<'/users'>) {
  const search = loadUsersSearch(await searchParams)
  await requireSection('users', toUsersPath(search))
  await prefetchUsers(search)

  return (
    <Hydrate>
      <UsersPage />
    </Hydrate>
  )
}
