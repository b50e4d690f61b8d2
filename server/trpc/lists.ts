import { addRules } from '#server/modules/network/word-lists/add-rules.ts'
import { listKeptRules } from '#server/modules/network/word-lists/list-kept-rules.ts'
import { removeRule } from '#server/modules/network/word-lists/remove-rule.ts'
import { AddRules, KeptRulesInput, RemoveRule, TryText } from '#server/modules/network/word-lists/schema.ts'
import { tryText } from '#server/modules/network/word-lists/try-text.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const listsRouter = router({
  kept: procedure
    .meta({ readsAnywhere: true })
    .input(KeptRulesInput)
    .query(({ ctx, input }) => listKeptRules(ctx, input)),
  add: procedure.input(AddRules).mutation(({ ctx, input }) => addRules(ctx, input)),
  remove: procedure.input(RemoveRule).mutation(({ ctx, input }) => removeRule(ctx, input)),
  try: procedure.input(TryText).query(({ ctx, input }) => tryText(ctx, input)),
})
