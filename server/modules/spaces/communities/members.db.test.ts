import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { COMMUNITY_PERMISSIONS } from '#server/core/permission-names.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { removeMembers } from '#server/modules/spaces/sanctions/remove-members.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'

const { database, make } = await testDatabase()
const admin = ctxOf(database, asAdmin(['ASSIGN_USER_ROLE', ...COMMUNITY_PERMISSIONS]))
type Act = (ctx: Ctx, input: { spaceId: string; userIds: string[] }) => Promise<unknown>

test('a moderator whose role is being taken can’t use it once it is gone', async () => {
  const { communityId } = await make.community()
  await make.reviewerOf(communityId)
  const roles = ['community-moderator']
  const acts: [string, Parameters<typeof make.member>[0]['membership'], Act][] = [
    ['added', 'none', (ctx, input) => addMembers(ctx, communitySpace, input)],
    ['banned', 'member', (ctx, input) => ban(ctx, communitySpace, input)],
    ['unbanned', 'banned', (ctx, input) => unban(ctx, communitySpace, input)],
    ['removed', 'member', (ctx, input) => removeMembers(ctx, communitySpace, input)],
    ['given a role', 'member', (ctx, input) => addRoles(ctx, communitySpace, { ...input, roles })],
  ]
  for (const [what, membership, act] of acts) {
    const moderator = await make.reviewerOf(communityId)
    const { userId } = await make.user()
    await make.member({ communityId, userId, ...(membership && { membership }) })

    const acting = await inTransaction(admin, async (ctx) => {
      await removeRoles(ctx, communitySpace, { spaceId: communityId, roles, userIds: [moderator.userId] })
      const acting = act(ctxOf(database, moderator), { spaceId: communityId, userIds: [userId] }).catch(failureOf)
      await waitForLockWaiter(database)
      return { acting }
    })

    expect([what, await acting.acting]).toEqual([what, 'FORBIDDEN'])
    expect(await database.prisma.audit.count({ where: { communityId, subjectId: userId } })).toBe(0)
  }
})
