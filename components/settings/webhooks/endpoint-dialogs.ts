/** What each dialog about an endpoint is told. */
export interface EndpointDialogProps {
  onClose: () => void
  /** Says what was done; a secret is shown from then on. */
  onDone: (words: string, secret?: { endpointId: string; secret: string }) => void
}
