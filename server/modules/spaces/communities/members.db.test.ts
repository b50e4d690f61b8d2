import { expect, test } from 'vitest'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { COMMUNITY_PERMISSIONS } from '#server/core/permission-names.ts'
import { banMembers, removeMembers, unbanMembers } from '#server/modules/spaces/communities/ban-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/communities/change-roles.ts'
import { addMembers } from '#server/modules/spaces/communities/join-community.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { someoneWaits } from '#server/testing/lock-waiter.ts'

const { database } = await testDatabase()
const make = factoriesOf(database)
const admin = ctxOf(database, asAdmin(['ASSIGN_USER_ROLE', ...COMMUNITY_PERMISSIONS]))
const failureOf = (error: unknown) => (error instanceof DomainError ? error.code : error)

test('a moderator whose role is being taken can’t use it once it is gone', async () => {
  const { communityId } = await make.community()
  await make.reviewerOf(communityId)
  const roles = ['community-moderator']
  const acts: [string, Parameters<typeof make.member>[0]['membership'], typeof addMembers][] = [
    ['added', 'none', addMembers],
    ['banned', 'member', banMembers],
    ['unbanned', 'banned', unbanMembers],
    ['removed', 'member', removeMembers],
    ['given a role', 'member', (ctx, input) => addRoles(ctx, { ...input, roles })],
  ]
  for (const [what, membership, act] of acts) {
    const moderator = await make.reviewerOf(communityId)
    const { userId } = await make.user()
    await make.member({ communityId, userId, ...(membership && { membership }) })

    const acting = await inTransaction(admin, async (ctx) => {
      await removeRoles(ctx, { communityId, roles, userIds: [moderator.userId] })
      const acting = act(ctxOf(database, moderator), { communityId, userIds: [userId] }).catch(failureOf)
      await someoneWaits(database)
      return { acting }
    })

    expect([what, await acting.acting]).toEqual([what, 'FORBIDDEN'])
    expect(await database.prisma.audit.count({ where: { communityId, subjectId: userId } })).toBe(0)
  }
})
