import { applyRule } from '#server/modules/content/imported/apply-rule.ts'
import { listSignalNames } from '#server/modules/content/signals/list-signal-names.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput, DraftTestInput } from '#server/modules/review/backtests/schema.ts'
import { testDraft } from '#server/modules/review/backtests/test-draft.ts'
import { proposeRule } from '#server/modules/review/bulk/propose-rule.ts'
import { HeldSubject } from '#server/modules/review/bulk/schema.ts'
import { listRejected } from '#server/modules/review/rule-records/list-rejected.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RejectedByRulesInput, RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { archiveRule } from '#server/modules/rules/registry/archive-rule.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { listApplyingRules } from '#server/modules/rules/registry/list-applying.ts'
import { listRules } from '#server/modules/rules/registry/list-rules.ts'
import { listRuleSpaces } from '#server/modules/rules/registry/list-spaces.ts'
import { orderRules } from '#server/modules/rules/registry/order-rules.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import {
  CommunityRules,
  ManagedSpacesInput,
  NewRule,
  RuleApplication,
  RuleChange,
  RuleOrder,
  RuleParams,
  RuleRevision,
  RuleSpace,
  RuleStateChange,
} from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const rulesRouter = router({
  spaces: procedure.input(ManagedSpacesInput).query(({ ctx, input }) => listRuleSpaces(ctx, input)),
  list: procedure.input(RuleSpace).query(({ ctx, input }) => listRules(ctx, input)),
  applying: procedure.input(CommunityRules).query(({ ctx, input }) => listApplyingRules(ctx, input)),
  signalNames: procedure.input(RuleSpace).query(({ ctx, input }) => listSignalNames(ctx, input)),
  read: procedure.input(RuleParams).query(({ ctx, input }) => readRule(ctx, input)),
  create: procedure.input(NewRule).mutation(({ ctx, input }) => createRule(ctx, input)),
  change: procedure.input(RuleChange).mutation(({ ctx, input }) => changeRule(ctx, input)),
  setState: procedure.input(RuleStateChange).mutation(({ ctx, input }) => setRuleState(ctx, input)),
  applyToPending: procedure.input(RuleApplication).mutation(({ ctx, input }) => applyRule(ctx, input)),
  order: procedure.input(RuleOrder).mutation(({ ctx, input }) => orderRules(ctx, input)),
  backtest: procedure.input(BacktestInput).query(({ ctx, input }) => backtest(ctx, input)),
  /** Changes nothing; a mutation, as long conditions don't fit into an address. */
  testDraft: procedure.input(DraftTestInput).mutation(({ ctx, input }) => testDraft(ctx, input)),
  ofWave: procedure.input(HeldSubject).query(({ ctx, input }) => proposeRule(ctx, input)),
  record: procedure.input(RuleRecordInput).query(({ ctx, input }) => readRuleRecord(ctx, input)),
  rejected: procedure.input(RejectedByRulesInput).query(({ ctx, input }) => listRejected(ctx, input)),
  archive: procedure.input(RuleRevision).mutation(({ ctx, input }) => archiveRule(ctx, input)),
})
