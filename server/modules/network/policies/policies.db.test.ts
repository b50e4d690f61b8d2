import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { banDeskMembersAgain, muteDeskMembers } from '#server/modules/desk/spaces/member-acts.ts'
import {
  addStarterPolicies,
  archivePolicy,
  changePolicy,
  createPolicy,
} from '#server/modules/network/policies/change-policies.ts'
import { listPolicies, listPolicyChoices, listPolicyVersions } from '#server/modules/network/policies/read-policies.ts'
import { PolicyChange, PolicyFields, type PolicyLanguage } from '#server/modules/network/policies/schema.ts'
import { addReason, changeReason } from '#server/modules/network/reasons/change-reasons.ts'
import { listReasons } from '#server/modules/network/reasons/list-reasons.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { readMuteChoices } from '#server/modules/spaces/sanctions/read-mute-choices.ts'
import { readSanctions } from '#server/modules/spaces/sanctions/read-sanctions.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const admin = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
const DAY = 24 * 60

const fieldsOf = (title: string, over: object = {}) =>
  PolicyFields.parse({
    texts: { en: { title, text: `No ${title}.` } },
    ground: 'terms',
    weight: 1,
    category: 'OTHER_VIOLATION_TC',
    ...over,
  })

/** A new policy, with its title. */
async function policyOf(over: object = {}) {
  const title = `Policy ${randomUUID()}`
  const { policies } = await createPolicy(admin, fieldsOf(title, over))
  const policy = policies.find(({ texts }) => texts.en?.title === title)
  if (policy === undefined) throw new Error('it was not added')
  return policy
}

const currentOf = async (policyId: string) =>
  (await listPolicies(admin)).policies.find((policy) => policy.policyId === policyId)
const logOf = (subjectId: string) =>
  prisma.audit.findMany({ where: { subjectType: 'policy', subjectId }, orderBy: { auditId: 'asc' } })
const eventsOf = (subjectId: string) => prisma.event.count({ where: { name: 'desk.policy.didChange', subjectId } })

test('adds the starter set once, also when two people ask at the same time, and never brings back what was archived', async () => {
  expect(await listPolicies(admin)).toEqual({ policies: [], hasMoreStarters: true })

  const both = await Promise.all([addStarterPolicies(admin), addStarterPolicies(admin)])

  const ids = both.map(({ policies }) => policies.map(({ policyId }) => policyId))
  expect(ids[0]).toHaveLength(12)
  expect(ids[0]).toEqual(ids[1])
  const { policies } = await listPolicies(admin)
  for (const { texts, version } of policies) {
    expect(version).toBe(1)
    expect(Object.keys(texts).sort()).toEqual(['ar', 'de', 'en'] satisfies PolicyLanguage[])
  }
  expect(await prisma.audit.count({ where: { action: 'policy.created' } })).toBe(12)
  expect(await prisma.event.count({ where: { name: 'desk.policy.didChange' } })).toBe(1)

  const [spam] = policies.filter(({ texts }) => texts.en?.title === 'Spam')
  if (spam) await archivePolicy(admin, spam)
  const again = await addStarterPolicies(admin)
  expect(again.policies).toHaveLength(12)
  expect(again.hasMoreStarters).toBe(false)
  expect(again.policies.filter(({ isArchived }) => isArchived)).toHaveLength(1)
})

test('accepts exactly one of several changes of a version, and every version before stays as it was', async () => {
  const { policyId } = await policyOf()
  const random = randomNumbers()
  const said = [await currentOf(policyId)]
  for (let round = 1; round <= scaled(4); round++) {
    const changes = [1, 2, 3].map((nth) =>
      PolicyChange.parse({
        ...fieldsOf(`Round ${round}, ${nth}`, { weight: random.below(11) }),
        policyId,
        version: round,
      }),
    )
    const results = await Promise.allSettled(changes.map((change) => changePolicy(admin, change)))

    const accepted = changes.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(accepted).toHaveLength(1)
    expect(results.flatMap((result) => (result.status === 'rejected' ? failureOf(result.reason) : []))).toEqual([
      'CHANGED',
      'CHANGED',
    ])
    said.push(await currentOf(policyId))
    expect(said.at(-1)).toMatchObject({ ...accepted[0], version: round + 1 })
  }
  const versions = await listPolicyVersions(admin, { policyId })
  expect(versions.map(({ version, texts, weight }) => ({ version, texts, weight }))).toEqual(
    said.map((policy) => ({ version: policy?.version, texts: policy?.texts, weight: policy?.weight })).reverse(),
  )
  expect((await logOf(policyId)).map(({ action }) => action)).toEqual([
    'policy.created',
    ...Array.from({ length: scaled(4) }, () => 'policy.changed'),
  ])
})

test('a change that changes nothing makes no version, no entry in the log and no event', async () => {
  const policy = await policyOf()
  const { policyId, version, texts, ground, weight, category, reportReasons } = policy
  await changePolicy(admin, { policyId, version, texts, ground, weight, category, reportReasons })
  expect(await currentOf(policyId)).toEqual(policy)
  expect(await logOf(policyId)).toHaveLength(1)
  expect(await eventsOf(policyId)).toBe(1)
})

test('a reason for reports stands for one policy that is in use', async () => {
  const reason = `Reason ${randomUUID()}`
  const both = await Promise.allSettled(
    ['One', 'Two'].map((title) => createPolicy(admin, fieldsOf(title, { reportReasons: [reason] }))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const holder = (await listPolicies(admin)).policies.find(({ reportReasons }) => reportReasons.includes(reason))
  const other = await policyOf()
  const take = {
    ...fieldsOf('Other', { reportReasons: [reason.toUpperCase()] }),
    ...other,
    reportReasons: [` ${reason.toUpperCase()}`],
  }
  expect(await changePolicy(admin, PolicyChange.parse(take)).catch(failureOf)).toBe('INVALID_PARAMETERS')

  if (holder) await archivePolicy(admin, holder)
  await changePolicy(admin, PolicyChange.parse(take))
  expect((await currentOf(other.policyId))?.reportReasons).toEqual([` ${reason.toUpperCase()}`])
})

test('an archived policy can be neither changed nor archived again', async () => {
  const policy = await policyOf()
  const stale = { ...policy, version: 2 }
  expect(await archivePolicy(admin, stale).catch(failureOf)).toBe('CHANGED')
  await archivePolicy(admin, policy)
  expect(await archivePolicy(admin, policy).catch(failureOf)).toBe('NOT_FOUND')
  expect(await changePolicy(admin, policy).catch(failureOf)).toBe('NOT_FOUND')
  expect((await logOf(policy.policyId)).map(({ action }) => action)).toEqual(['policy.created', 'policy.archived'])
})

test('only who manages the network’s settings reads and changes policies; everybody at the desk reads their titles', async () => {
  const policy = await policyOf()
  const moderator = ctxOf(database, asAdmin())
  const acts = [
    listPolicies(moderator),
    listPolicyVersions(moderator, policy),
    createPolicy(moderator, fieldsOf('x')),
    changePolicy(moderator, policy),
    archivePolicy(moderator, policy),
    addStarterPolicies(moderator),
  ]
  expect(await Promise.all(acts.map((act) => act.catch(failureOf)))).toEqual(acts.map(() => 'FORBIDDEN'))
  expect(await listPolicyChoices(moderator)).toContainEqual({
    policyId: policy.policyId,
    titles: { en: policy.texts.en?.title },
    isArchived: false,
    reportReasons: [],
  })
  expect(await listPolicyVersions(admin, { policyId: 'none' }).catch(failureOf)).toBe('NOT_FOUND')
})

/** A community with a moderator, and members. */
async function moderated(members: number) {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const users = await Promise.all(
    Array.from({ length: members }, async () => {
      const { userId } = await make.user()
      await make.member({ communityId, userId })
      return userId
    }),
  )
  return { communityId, moderator, users, space: { scope: 'community' as const, communityId } }
}

test('reasons, rules, bans and mutes name a policy, alone and in bulk, and keep naming it once it is archived', async () => {
  const policy = await policyOf()
  const { policyId } = policy
  const { communityId, moderator, users, space } = await moderated(3)
  const [banned = '', muted = '', author = ''] = users

  const reasons = await addReason(admin, { label: `Reason ${randomUUID()}`, policyId })
  const rule = await createRule(
    moderator,
    NewRule.parse({
      communityId,
      name: 'Links',
      kinds: ['comment'],
      condition: { kind: 'links' },
      action: { type: 'hold', policyId },
    }),
  )
  await banPerson(moderator, { userId: banned, space, minutes: DAY, policyId })
  await muteDeskMembers(moderator, { space, userIds: [muted], minutes: 60, policyId })
  const { commentId } = await make.heldComment({ communityId, userId: author })
  const bulkId = randomUUID()
  await startBulk(
    moderator,
    StartBulk.parse({
      bulkId,
      outcome: 'rejected',
      items: [{ subjectType: 'comment', subjectId: commentId, version: 1 }],
      sanction: { sanction: 'mute', scope: 'community', minutes: 60, except: [], policyId },
    }),
  )
  await runBulk(moderator, { bulkId })

  expect((await currentOf(policyId))?.uses).toEqual({ reasons: 1, rules: 1, bans: 1, mutes: 2 })
  const named = { policyId }
  expect(await readSanctions(moderator, banned)).toMatchObject({ bans: [named] })
  expect(await readSanctions(moderator, author)).toMatchObject({ mutes: [named] })
  const [choice] = await readMuteChoices(moderator, { userId: muted, communityId })
  expect(choice?.mute).toMatchObject(named)

  await archivePolicy(admin, policy)

  const reason = reasons.at(-1)
  if (reason) await changeReason(admin, { ...reason, label: `${reason.label} again` })
  expect((await listReasons(admin)).at(-1)).toMatchObject(named)
  const changed = await changeRule(moderator, { ruleId: rule.ruleId, revision: rule.revision, kinds: ['post'] })
  expect(changed.action).toMatchObject(named)
  const undo = { space, userIds: [muted], minutes: null, policyId }
  await muteDeskMembers(moderator, { ...undo, endsAt: choice?.mute?.endsAt })
  await muteDeskMembers(moderator, { ...undo, userIds: [muted] })
  expect(await muteDeskMembers(moderator, { ...undo, userIds: [muted, banned] }).catch(failureOf)).toBe(
    'INVALID_PARAMETERS',
  )
  expect(await readSanctions(moderator, banned)).toMatchObject({ bans: [named] })
  expect((await currentOf(policyId))?.uses).toEqual({ reasons: 1, rules: 1, bans: 1, mutes: 2 })
})

test('nothing new can name a policy that is archived or unknown', async () => {
  const archived = await policyOf()
  await archivePolicy(admin, archived)
  const { communityId, moderator, users, space } = await moderated(1)
  const [userId = ''] = users
  const reason = (await listReasons(admin))[0]
  const rule = { communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' } }
  const kept = await createRule(moderator, NewRule.parse(rule))
  const sanction = { sanction: 'ban', scope: 'community', minutes: null, except: [] }
  const items = [{ subjectType: 'comment', subjectId: 'c', version: 1 }]
  for (const policyId of [archived.policyId, 'unknown']) {
    const action = { type: 'hold' as const, severity: 'medium' as const, policyId }
    const tries = [
      addReason(admin, { label: 'x', policyId }),
      changeReason(admin, { reasonId: reason?.reasonId ?? '', label: reason?.label ?? '', policyId }),
      createRule(moderator, NewRule.parse({ ...rule, action })),
      changeRule(moderator, { ruleId: kept.ruleId, revision: kept.revision, action }),
      banPerson(moderator, { userId, space, minutes: DAY, policyId }),
      muteDeskMembers(moderator, { space, userIds: [userId], minutes: 60, policyId }),
      startBulk(
        moderator,
        StartBulk.parse({ bulkId: randomUUID(), outcome: 'rejected', items, sanction: { ...sanction, policyId } }),
      ),
    ]
    expect(await Promise.all(tries.map((attempt) => attempt.catch(failureOf)))).toEqual(
      tries.map(() => 'INVALID_PARAMETERS'),
    )
  }
  const again = banDeskMembersAgain(moderator, { space, members: [{ userId, policyId: 'unknown' }] })
  expect(await again.catch(failureOf)).toBe('INVALID_PARAMETERS')
  expect(await readSanctions(moderator, userId)).toEqual({ bans: [] })
})
