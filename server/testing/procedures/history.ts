import { setTarget } from '#server/modules/review/targets/set-target.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ANYBODY, type DeskOutcomes, type DeskRow } from '#server/testing/procedures/row.ts'

/** Those with VIEW_HISTORY. */
const HISTORIANS: DeskOutcomes = [401, 403, 403, 403, 403, 200, 200, 200, 200]
/** Those who review the scene's community, and those who see the full history. */
const COUNTERS: DeskOutcomes = [401, 200, 403, 403, 403, 200, 200, 200, 200]
/** Those with MANAGE_NETWORK_SETTINGS. */
const SETTINGS_MANAGERS: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 200, 200]
const DAYS = { startDate: '2026-01-01', endDate: '2026-01-31' }

export const HISTORY_ROWS: DeskRow[] = [
  { procedure: 'audit.list', outcomes: HISTORIANS, input: () => ({}) },
  {
    procedure: 'audit.entry',
    outcomes: HISTORIANS,
    input: async ({ database, communityId, admin }) => {
      await setTarget(await admin(), { communityId, withinMinutes: 30, sharePercent: 50 })
      const { auditId } = await database.prisma.audit.findFirstOrThrow({ orderBy: { auditId: 'desc' } })
      return { auditId: String(auditId) }
    },
  },
  { procedure: 'audit.actions', outcomes: HISTORIANS },
  { procedure: 'audit.chain', outcomes: HISTORIANS },
  { procedure: 'audit.export', outcomes: HISTORIANS, input: () => ({}) },
  {
    procedure: 'insights.read',
    about: 'of the community',
    outcomes: COUNTERS,
    input: ({ communityId }) => ({ communityId, ...DAYS }),
  },
  {
    procedure: 'insights.patterns',
    about: 'of the community',
    outcomes: COUNTERS,
    input: ({ communityId }) => ({ communityId, ...DAYS }),
  },
  {
    procedure: 'insights.waiting',
    about: 'of the community',
    outcomes: COUNTERS,
    input: ({ communityId }) => ({ communityId }),
  },
  {
    procedure: 'insights.calibration',
    about: 'of the community',
    outcomes: COUNTERS,
    input: ({ communityId }) => ({ communityId, ...DAYS }),
  },
  {
    procedure: 'insights.export',
    about: 'of the community',
    outcomes: COUNTERS,
    input: ({ communityId }) => ({ communityId, ...DAYS }),
  },
  { procedure: 'targets.list', outcomes: SETTINGS_MANAGERS },
  { procedure: 'targets.states', outcomes: ANYBODY },
  { procedure: 'targets.set', outcomes: SETTINGS_MANAGERS, input: target },
  { procedure: 'targets.claimTimes', outcomes: SETTINGS_MANAGERS },
  {
    procedure: 'targets.setClaimTime',
    outcomes: SETTINGS_MANAGERS,
    input: ({ communityId }) => ({ communityId, minutes: 60 }),
  },
  {
    procedure: 'targets.remove',
    outcomes: SETTINGS_MANAGERS,
    input: async (scene) => {
      await setTarget(await scene.admin(), target(scene))
      return { communityId: scene.communityId }
    },
  },
  { procedure: 'settings.flags', outcomes: SETTINGS_MANAGERS },
  { procedure: 'settings.changeFlags', outcomes: SETTINGS_MANAGERS, input: () => ({ isReportEnabled: true }) },
  { procedure: 'lists.kept', outcomes: SETTINGS_MANAGERS, input: () => ({ list: 'block' }) },
  { procedure: 'lists.add', outcomes: SETTINGS_MANAGERS, input: ({ word }) => ({ list: 'block', regexs: [word] }) },
  {
    procedure: 'lists.remove',
    outcomes: SETTINGS_MANAGERS,
    input: ({ blockRuleId }) => ({ list: 'block', ruleId: blockRuleId }),
  },
  { procedure: 'lists.try', outcomes: SETTINGS_MANAGERS, input: ({ text }) => ({ text }) },
  { procedure: 'reports.list', outcomes: HISTORIANS, input: () => ({}) },
  { procedure: 'reports.open', outcomes: HISTORIANS, input: ({ reportedDay }) => ({ fileId: reportedDay }) },
]

function target({ communityId }: DeskScene) {
  return { communityId, withinMinutes: 30, sharePercent: 50 }
}
