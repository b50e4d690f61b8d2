import {
  changeMailSettings,
  changeNotificationTexts,
  readMailSettings,
} from '#server/modules/integrations/notifications/mail/mail-settings.ts'
import { testMail } from '#server/modules/integrations/notifications/mail/test-mail.ts'
import {
  changeOwnNotifications,
  readOwnNotifications,
  resumeMail,
} from '#server/modules/integrations/notifications/own-notifications.ts'
import { subscribe, unsubscribe } from '#server/modules/integrations/notifications/push/subscriptions.ts'
import {
  MailSettingsChange,
  NotificationsChange,
  PushEndpoint,
  PushInput,
  StopInput,
  TextsChange,
} from '#server/modules/integrations/notifications/schema.ts'
import { stopNotifications } from '#server/modules/integrations/notifications/stop-notifications.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

export const notificationsRouter = router({
  own: procedure.query(({ ctx }) => readOwnNotifications(ctx, ctx.notifications)),
  change: procedure
    .input(NotificationsChange)
    .mutation(({ ctx, input }) => changeOwnNotifications(ctx, input, ctx.notifications)),
  resumeMail: procedure.mutation(({ ctx }) => resumeMail(ctx, ctx.notifications)),
  subscribe: procedure.input(PushInput).mutation(({ ctx, input }) => subscribe(ctx, input, ctx.notifications)),
  unsubscribe: procedure.input(PushEndpoint).mutation(({ ctx, input }) => unsubscribe(ctx, input)),
  /** For anyone who has the mail. */
  stop: publicProcedure.input(StopInput).mutation(({ ctx, input }) => stopNotifications(ctx, input, ctx.notifications)),

  mail: procedure.query(({ ctx }) => readMailSettings(ctx, ctx.notifications)),
  changeMail: procedure
    .input(MailSettingsChange)
    .mutation(({ ctx, input }) => changeMailSettings(ctx, input, ctx.notifications)),
  changeTexts: procedure
    .input(TextsChange)
    .mutation(({ ctx, input }) => changeNotificationTexts(ctx, input, ctx.notifications)),
  testMail: procedure.mutation(({ ctx }) => testMail(ctx, ctx.notifications)),
})
