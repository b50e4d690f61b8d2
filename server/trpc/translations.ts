import {
  SwitchTranslation,
  TranslateInput,
  TranslationChange,
} from '#server/modules/integrations/translations/schema.ts'
import { testTranslation } from '#server/modules/integrations/translations/test-translation.ts'
import { translateItem } from '#server/modules/integrations/translations/translate-item.ts'
import {
  changeTranslation,
  readTranslationSettings,
  switchTranslation,
} from '#server/modules/integrations/translations/translation-settings.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const translationsRouter = router({
  /** A mutation that changes nothing: it sends a text to the service. */
  item: procedure.input(TranslateInput).mutation(({ ctx, input }) => translateItem(ctx, input, ctx.translations)),
  settings: procedure.query(({ ctx }) => readTranslationSettings(ctx, ctx.translations)),
  change: procedure
    .input(TranslationChange)
    .mutation(({ ctx, input }) => changeTranslation(ctx, input, ctx.translations)),
  switch: procedure
    .input(SwitchTranslation)
    .mutation(({ ctx, input }) => switchTranslation(ctx, input, ctx.translations)),
  test: procedure.mutation(({ ctx }) => testTranslation(ctx, ctx.translations)),
})
