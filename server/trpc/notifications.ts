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
import { addRoom, changeRoom, removeRoom } from '#server/modules/integrations/notifications/rooms/change-rooms.ts'
import { listRooms } from '#server/modules/integrations/notifications/rooms/list-rooms.ts'
import { NewRoom, RoomChange, RoomInput, RoomParams } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { testRoom } from '#server/modules/integrations/notifications/rooms/test-room.ts'
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

  rooms: procedure.query(({ ctx }) => listRooms(ctx)),
  addRoom: procedure.input(NewRoom).mutation(({ ctx, input }) => addRoom(ctx, input, ctx.notifications)),
  changeRoom: procedure.input(RoomChange).mutation(({ ctx, input }) => changeRoom(ctx, input, ctx.notifications)),
  removeRoom: procedure.input(RoomInput).mutation(({ ctx, input }) => removeRoom(ctx, input)),
  testRoom: procedure.input(RoomParams).mutation(({ ctx, input }) => testRoom(ctx, input, ctx.notifications)),
})
