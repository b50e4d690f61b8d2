import type { BanTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { actOnPeople } from '#server/modules/spaces/membership/act-on-people.ts'
import { assertBelow } from '#server/modules/spaces/membership/lock-people.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

export interface PeopleOfSpace {
  spaceId: string
  userIds: string[]
}

/**
 * Bans people from a space, all of them or none, whether or not they are members: leaving in time doesn't avoid a ban. Their roles there end
 * (docs/interface/channel-members.md#ban). Fails with NOT_FOUND for an unknown space or user, FORBIDDEN without the permission, CANNOT_BAN
 * for people of equal or higher rank and for oneself. Banning again changes nothing in a channel, and fails with BANNED in a community.
 */
export function ban<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { terms, ...people }: PeopleOfSpace & { terms?: BanTerms },
): Promise<Answer> {
  return actOnPeople(ctx, kind, {
    ...people,
    action: 'banMembers',
    act: 'banned',
    terms,
    assertAllowed: (people) => {
      assertBelow(people, 'CANNOT_BAN')
      if (people.some(({ userId }) => userId === actingUserId(ctx))) throw new DomainError('CANNOT_BAN')
      if (kind.rejectsRepeats && people.some(({ membership }) => membership === 'banned'))
        throw new DomainError('BANNED')
    },
  })
}

/**
 * Lifts bans, all of them or none: those people are not members then and may join again (docs/interface/channel-members.md#unban). Fails as
 * `ban` does, with FORBIDDEN for people of equal or higher rank. People who aren't banned stay as they are in a channel; in a community the
 * call fails with NOT_BANNED.
 */
export function unban<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, people: PeopleOfSpace): Promise<Answer> {
  return actOnPeople(ctx, kind, {
    ...people,
    action: 'banMembers',
    act: 'unbanned',
    assertAllowed: (found) => {
      const banned = found.filter(({ membership }) => membership === 'banned')
      if (kind.rejectsRepeats && banned.length < new Set(people.userIds).size) throw new DomainError('NOT_BANNED')
      assertBelow(found, 'FORBIDDEN')
    },
  })
}
