import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule, type Rule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import {
  ANYBODY,
  type DeskOutcomes,
  type DeskRow,
  REVIEWERS,
  REVIEWERS_OF_THE_KNOWN,
} from '#server/testing/procedures/row.ts'

/** Those with MANAGE_RULES everywhere. */
const OF_THE_NETWORK: DeskOutcomes = [401, 403, 403, 403, 403, 403, 200, 200, 200]
const NOT_OF_THE_NETWORK: DeskOutcomes = [401, 404, 404, 404, 404, 404, 200, 200, 200]

type SpaceOf = (scene: DeskScene) => string | null

/** Rules of a community are known only to those who manage them; that the community exists is known to all. */
const SPACES: [string, { of: SpaceOf; toSpace: DeskOutcomes; toRule: DeskOutcomes }][] = [
  ['of the community', { of: ({ communityId }) => communityId, toSpace: REVIEWERS_OF_THE_KNOWN, toRule: REVIEWERS }],
  ['of the network', { of: () => null, toSpace: OF_THE_NETWORK, toRule: NOT_OF_THE_NETWORK }],
]

export const RULE_ROWS: DeskRow[] = SPACES.flatMap(([about, { of, toSpace, toRule }]): DeskRow[] => {
  const toInput = (over: (rule: Rule) => object) => async (scene: DeskScene) => over(await ruleOf(scene, of(scene)))
  return [
    { procedure: 'rules.list', about, outcomes: toSpace, input: (scene) => ({ communityId: of(scene) }) },
    { procedure: 'rules.signalNames', about, outcomes: toSpace, input: (scene) => ({ communityId: of(scene) }) },
    { procedure: 'rules.rejected', about, outcomes: toSpace, input: (scene) => ({ communityId: of(scene) }) },
    { procedure: 'rules.create', about, outcomes: toSpace, input: (scene) => newRule(of(scene)) },
    { procedure: 'queues.list', about, outcomes: toSpace, input: (scene) => ({ communityId: of(scene) }) },
    { procedure: 'queues.reviewers', about, outcomes: toSpace, input: (scene) => ({ communityId: of(scene) }) },
    { procedure: 'queues.create', about, outcomes: toSpace, input: (scene) => newQueue(of(scene)) },
    {
      procedure: 'queues.change',
      about,
      outcomes: toRule,
      input: async (scene) => ({ ...(await queueOf(scene, of(scene))), name: 'Another name' }),
    },
    {
      procedure: 'queues.delete',
      about,
      outcomes: toRule,
      input: (scene) => queueOf(scene, of(scene)),
    },
    { procedure: 'rules.read', about, outcomes: toRule, input: toInput(({ ruleId }) => ({ ruleId })) },
    {
      procedure: 'rules.change',
      about,
      outcomes: toRule,
      input: toInput(({ ruleId, revision }) => ({ ruleId, revision, name: 'Another name' })),
    },
    {
      procedure: 'rules.backtest',
      about,
      outcomes: toRule,
      input: async (scene) => ({ ruleIds: [(await ruleOf(scene, of(scene))).ruleId], communityId: scene.communityId }),
    },
    {
      procedure: 'rules.testDraft',
      about,
      outcomes: toSpace,
      input: (scene) => ({
        draft: { communityId: of(scene), kinds: ['comment'], condition: { kind: 'links' } },
        communityId: scene.communityId,
      }),
    },
    { procedure: 'rules.record', about, outcomes: toRule, input: toInput(({ ruleId }) => ({ ruleId })) },
    {
      procedure: 'rules.setState',
      about,
      outcomes: toRule,
      input: toInput(({ ruleId, revision }) => ({ ruleId, revision, state: 'live' })),
    },
    {
      procedure: 'rules.applyToPending',
      about,
      outcomes: toRule,
      input: async (scene) => {
        const { ruleId, revision } = await ruleOf(scene, of(scene))
        const live = await setRuleState(await scene.admin(), { ruleId, revision, state: 'live' })
        return { ruleId, revision: live.revision, communityId: scene.communityId }
      },
    },
    {
      procedure: 'rules.archive',
      about,
      outcomes: toRule,
      input: toInput(({ ruleId, revision }) => ({ ruleId, revision })),
    },
  ]
}).concat(
  { procedure: 'rules.applying', outcomes: REVIEWERS_OF_THE_KNOWN, input: ({ communityId }) => ({ communityId }) },
  { procedure: 'rules.spaces', outcomes: ANYBODY, input: ({ communityId }) => ({ communityId }) },
  {
    procedure: 'rules.backtest',
    about: 'of the community and of the network',
    outcomes: NOT_OF_THE_NETWORK,
    input: async (scene) => {
      const rules = [await ruleOf(scene, scene.communityId), await ruleOf(scene, null)]
      return { ruleIds: rules.map(({ ruleId }) => ruleId), communityId: scene.communityId }
    },
  },
  {
    procedure: 'rules.order',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: async (scene) => {
      const { ruleId } = await ruleOf(scene, scene.communityId)
      return { communityId: scene.communityId, ruleIds: [ruleId] }
    },
  },
)

const newQueue = (communityId: string | null) => ({ communityId, name: 'Links', memberIds: [] })

async function queueOf(scene: DeskScene, communityId: string | null) {
  const { queueId, revision } = await createNamedQueue(await scene.admin(), newQueue(communityId))
  return { queueId, revision }
}

const newRule = (communityId: string | null) =>
  NewRule.parse({ communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' } })

async function ruleOf(scene: DeskScene, communityId: string | null): Promise<Rule> {
  return createRule(await scene.admin(), newRule(communityId))
}
