import {
  changeMailSettings,
  changeNoticeTexts,
  readMailSettings,
} from '#server/modules/integrations/notices/mail/mail-settings.ts'
import { testMail } from '#server/modules/integrations/notices/mail/test-mail.ts'
import { changeOwnNotices, readOwnNotices, resumeMail } from '#server/modules/integrations/notices/own-notices.ts'
import { subscribe, unsubscribe } from '#server/modules/integrations/notices/push/subscriptions.ts'
import {
  MailSettingsChange,
  NoticesChange,
  PushEndpoint,
  PushInput,
  StopInput,
  TextsChange,
} from '#server/modules/integrations/notices/schema.ts'
import { stopNotices } from '#server/modules/integrations/notices/stop-notices.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

export const noticesRouter = router({
  own: procedure.query(({ ctx }) => readOwnNotices(ctx, ctx.notices)),
  change: procedure.input(NoticesChange).mutation(({ ctx, input }) => changeOwnNotices(ctx, input, ctx.notices)),
  resumeMail: procedure.mutation(({ ctx }) => resumeMail(ctx, ctx.notices)),
  subscribe: procedure.input(PushInput).mutation(({ ctx, input }) => subscribe(ctx, input, ctx.notices)),
  unsubscribe: procedure.input(PushEndpoint).mutation(({ ctx, input }) => unsubscribe(ctx, input)),
  /** For anyone who has the mail. */
  stop: publicProcedure.input(StopInput).mutation(({ ctx, input }) => stopNotices(ctx, input, ctx.notices)),

  mail: procedure.query(({ ctx }) => readMailSettings(ctx, ctx.notices)),
  changeMail: procedure
    .input(MailSettingsChange)
    .mutation(({ ctx, input }) => changeMailSettings(ctx, input, ctx.notices)),
  changeTexts: procedure.input(TextsChange).mutation(({ ctx, input }) => changeNoticeTexts(ctx, input, ctx.notices)),
  testMail: procedure.mutation(({ ctx }) => testMail(ctx, ctx.notices)),
})
