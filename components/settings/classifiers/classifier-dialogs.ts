export type ClassifierAct = 'change' | 'replace' | 'remove'

/** Props of every dialog about a classifier. */
export interface ClassifierDialogProps {
  onClose: () => void
  /** Announces what was done; a secret is shown from then on. */
  onDone: (words: string, secret?: { classifierId: string; secret: string }) => void
}
