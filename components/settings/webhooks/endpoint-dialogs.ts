import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'

export type EndpointAct = 'change' | 'rotate' | 'remove'

/** Props of every dialog about an endpoint. */
export interface EndpointDialogProps {
  onClose: () => void
  /** Announces what was done, and shows what it made of the endpoint; a secret is shown from then on. */
  onDone: (words: string, done?: { endpoint: Endpoint; secret?: string }) => void
}
