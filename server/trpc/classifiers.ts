import {
  addClassifier,
  changeClassifier,
  removeClassifier,
  replaceSecret,
  switchClassifier,
} from '#server/modules/integrations/classifiers/change-classifiers.ts'
import { listClassifiers } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import {
  ClassifierChange,
  ClassifierFields,
  ClassifierInput,
  ClassifierOnly,
  SwitchClassifier,
} from '#server/modules/integrations/classifiers/schema.ts'
import { testClassifier } from '#server/modules/integrations/classifiers/test-classifier.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const classifiersRouter = router({
  list: procedure.query(({ ctx }) => listClassifiers(ctx)),
  add: procedure.input(ClassifierFields).mutation(({ ctx, input }) => addClassifier(ctx, input, ctx.webhooks)),
  change: procedure.input(ClassifierChange).mutation(({ ctx, input }) => changeClassifier(ctx, input, ctx.webhooks)),
  switch: procedure.input(SwitchClassifier).mutation(({ ctx, input }) => switchClassifier(ctx, input)),
  replaceSecret: procedure.input(ClassifierInput).mutation(({ ctx, input }) => replaceSecret(ctx, input, ctx.webhooks)),
  remove: procedure.input(ClassifierInput).mutation(({ ctx, input }) => removeClassifier(ctx, input)),
  test: procedure.input(ClassifierOnly).mutation(({ ctx, input }) => testClassifier(ctx, input, ctx.webhooks)),
})
