import { bestOf } from '#server/core/best-named.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { PLANNED_ANEW, Prisma, query } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { type FindPeopleInput, type FoundPerson, MATCHES } from '#server/modules/people/schema.ts'
import { requireLookUp } from '#server/modules/people/scope.ts'
import { NAMED_PEOPLE } from '#server/modules/users/named-people.ts'
import { nameOf } from '#server/modules/users/view.ts'

const SHOWN = 20

/**
 * People by any of their ids, by name or handle, misspelt ones too: the twenty that fit best, also such as are deleted. Profiles
 * are open to whoever looks people up. FORBIDDEN for anyone else.
 */
export async function findPeople(ctx: Ctx, { query: typed }: FindPeopleInput): Promise<FoundPerson[]> {
  await requireLookUp(ctx)
  const words = typed.trim()
  if (words === '') return []
  const found = await query<FoundRow>(
    ctx,
    Prisma.sql`
    select u.user_id as "userId", u.internal_id as "userInternalId", u.display_name as "displayName", u.profile_handle as "profileHandle",
      u.is_global_ban as "isGlobalBan", u.is_deleted as "isDeleted", f.place
    from ${bestOf(NAMED_PEOPLE, words, Prisma.sql`true`, SHOWN)} f join network_user u on u.user_id = f.id
    order by f.place, f.likeness desc, lower(coalesce(u.display_name, u.user_id)), u.user_id ${PLANNED_ANEW}`,
  )
  return found.map(({ place, displayName, profileHandle, ...person }) => ({
    ...person,
    displayName: nameOf({ userId: person.userId, displayName }),
    ...present({ profileHandle }),
    match: MATCHES[place] ?? 'similar',
  }))
}

interface FoundRow {
  userId: string
  userInternalId: string
  displayName: string | null
  profileHandle: string | null
  isGlobalBan: boolean
  isDeleted: boolean
  place: number
}
