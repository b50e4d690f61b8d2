export type EndpointAct = 'change' | 'rotate' | 'remove'

/** Props of every dialog about an endpoint. */
export interface EndpointDialogProps {
  onClose: () => void
  /** Announces what was done; a secret is shown from then on. */
  onDone: (words: string, secret?: { endpointId: string; secret: string }) => void
}
