import {
  addEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateSecret,
  switchEndpoint,
} from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { listDeliveries } from '#server/modules/integrations/webhooks/list-deliveries.ts'
import { listEndpoints } from '#server/modules/integrations/webhooks/list-endpoints.ts'
import { readDelivery } from '#server/modules/integrations/webhooks/read-delivery.ts'
import {
  countFailed,
  countRange,
  replayDeliveries,
  replayFailed,
  replayRange,
  skipDeliveries,
} from '#server/modules/integrations/webhooks/replay-deliveries.ts'
import {
  DeliveriesInput,
  DeliveryInput,
  EndpointChange,
  EndpointFields,
  EndpointInput,
  EndpointOnly,
  ReplayRange,
  SomeDeliveries,
  SwitchEndpoint,
  TestInput,
} from '#server/modules/integrations/webhooks/schema.ts'
import { readTest, testEndpoint } from '#server/modules/integrations/webhooks/test-endpoint.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const webhooksRouter = router({
  endpoints: procedure.query(({ ctx }) => listEndpoints(ctx)),
  add: procedure.input(EndpointFields).mutation(({ ctx, input }) => addEndpoint(ctx, input, ctx.webhooks)),
  change: procedure.input(EndpointChange).mutation(({ ctx, input }) => changeEndpoint(ctx, input, ctx.webhooks)),
  rotateSecret: procedure.input(EndpointInput).mutation(({ ctx, input }) => rotateSecret(ctx, input, ctx.webhooks)),
  switch: procedure.input(SwitchEndpoint).mutation(({ ctx, input }) => switchEndpoint(ctx, input)),
  remove: procedure.input(EndpointInput).mutation(({ ctx, input }) => removeEndpoint(ctx, input)),
  test: procedure.input(EndpointOnly).mutation(({ ctx, input }) => testEndpoint(ctx, input)),
  tested: procedure.input(TestInput).query(({ ctx, input }) => readTest(ctx, input)),

  deliveries: procedure.input(DeliveriesInput).query(({ ctx, input }) => listDeliveries(ctx, input)),
  delivery: procedure.input(DeliveryInput).query(({ ctx, input }) => readDelivery(ctx, input)),
  replay: procedure.input(SomeDeliveries).mutation(({ ctx, input }) => replayDeliveries(ctx, input)),
  replayFailed: procedure.input(EndpointOnly).mutation(({ ctx, input }) => replayFailed(ctx, input)),
  countFailed: procedure.input(EndpointOnly).query(({ ctx, input }) => countFailed(ctx, input)),
  countRange: procedure.input(ReplayRange).query(({ ctx, input }) => countRange(ctx, input)),
  replayRange: procedure.input(ReplayRange).mutation(({ ctx, input }) => replayRange(ctx, input)),
  skip: procedure.input(SomeDeliveries).mutation(({ ctx, input }) => skipDeliveries(ctx, input)),
})
