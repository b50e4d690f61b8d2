import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals, SignalsRecorded } from '#server/modules/content/signals/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** Scores from classifiers: docs/interface/signals.md. */
export const signalRoutes: RestPlugin = async (app) => {
  app.post(
    '/api/v1/signals',
    {
      schema: {
        summary: 'Send what a classifier says of content',
        body: NewSignals,
        response: { 200: SignalsRecorded },
      },
      config: { takesKey: 'signals' },
    },
    ({ ctx, body }) => recordSignals(ctx, body),
  )
}
